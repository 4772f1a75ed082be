// A peer in the bench: a GraphQL server as one would write it with Mercurius, on the tables of Almanac itself. It has the
// two reading questions that are compared, a page of tasks and one task, in the shapes of Almanac's schema, and proves
// its callers. Operations are compiled by graphql-jit when they are first seen.
//
// It reads ALMANAC_BENCH_URL (PostgreSQL), ALMANAC_BENCH_SECRET (of HS256 tokens), ALMANAC_BENCH_ZONE (of all users) and
// ALMANAC_BENCH_POOL (connections), prints its endpoint, and ends on SIGTERM.
import { createHash } from 'node:crypto'
import { createVerifier } from 'fast-jwt'
import Fastify from 'fastify'
import mercurius from 'mercurius'
import pg from 'pg'

const { ALMANAC_BENCH_URL: url, ALMANAC_BENCH_SECRET: secret, ALMANAC_BENCH_ZONE: zone, ALMANAC_BENCH_POOL: size } =
  process.env

const schema = `
  scalar DateTime
  scalar Duration
  type Query { tasks(first: Int = 25, after: String): TaskConnection!  task(id: ID!): Task }
  type TaskConnection { nodes: [Task!]! }
  type Recurrence { type: String! }
  type ItemContext {
    isReminder: Boolean! isTask: Boolean! isRecurring: Boolean! isNudge: Boolean! isOverdue: Boolean! isToday: Boolean!
    isTomorrowOrLater: Boolean! hasDueDate: Boolean!
  }
  type Task {
    id: ID! text: String! category: String dueDate: DateTime reminder: Duration nextReminderAt: DateTime
    nudgeCount: Int! completed: Boolean! completedAt: DateTime createdAt: DateTime! updatedAt: DateTime!
    recurrence: Recurrence itemContext: ItemContext!
  }`

// Times stay the texts that PostgreSQL writes in the session's zone: "2026-11-22 18:00:00+02".
const times = text => text === null ? null : text.replace(' ', 'T') + (text.at(-3) === ':' ? '' : ':00')
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, times)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.UUID, text => text)
const pool = new pg.Pool({ connectionString: url, max: Number(size), options: `-c TimeZone=${zone}` })

const columns = `id, text, category, NULLIF(due_at, 'infinity') AS due, reminder, next_reminder_at, nudge_count,
  completed_at, created_at, updated_at, recurrence_type`
const page = { name: 'page', text: `SELECT ${columns} FROM tasks
  WHERE user_id = $1 AND completed_at IS NULL AND id < $2 ORDER BY id DESC LIMIT $3` }
const one = { name: 'one', text: `SELECT ${columns} FROM tasks WHERE user_id = $1 AND id = $2` }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

// idOf writes a UUID as Almanac's ids are: the kind, and its 128 bits in 26 digits of base 32.
function idOf(uuid) {
  let bits = BigInt('0x' + uuid.replaceAll('-', ''))
  let text = ''
  for (let i = 0; i < 26; i++, bits >>= 5n) text = alphabet[Number(bits & 31n)] + text
  return 'task_' + text
}

function uuidOf(id) {
  let bits = 0n
  for (const digit of id.slice('task_'.length)) bits = bits << 5n | BigInt(alphabet.indexOf(digit))
  return bits.toString(16).padStart(32, '0')
}

// userOf derives the id of a user from the subject of their token.
function userOf(subject) {
  const sum = createHash('sha256').update('almanac user\0' + subject).digest().subarray(0, 16)
  sum[6] = sum[6] & 0x0f | 0x80
  sum[8] = sum[8] & 0x3f | 0x80
  return sum.toString('hex')
}

// lengthOf writes a number of microseconds as ISO 8601.
function lengthOf(micros) {
  if (micros === 0) return null
  let seconds = Math.floor(micros / 1e6)
  let text = 'P'
  for (const [length, letter] of [[86400, 'D'], [3600, 'H'], [60, 'M'], [1, 'S']]) {
    const n = Math.floor(seconds / length)
    seconds -= n * length
    if (n > 0) text += n + letter
    if (letter === 'D' && seconds > 0) text += 'T'
  }
  return text
}

// dayOf returns the bounds of the user's present day in milliseconds. They are kept until it ends.
const format = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', hour: 'numeric', minute: 'numeric',
  second: 'numeric' })
let day = { start: 0, end: 0 }
function dayOf(now) {
  if (now < day.start || now >= day.end) {
    const [hours, minutes, seconds] = format.format(now).split(':').map(Number)
    const start = Math.floor(now / 1000) * 1000 - ((hours * 60 + minutes) * 60 + seconds) * 1000
    day = { start, end: start + 24 * 3600 * 1000 } // the bench does not run where a day has another length
  }
  return day
}

function taskOf(row, now, { start, end }) {
  const due = row.due === null ? NaN : Date.parse(row.due)
  const repeats = row.recurrence_type
  const has = row.due !== null
  return {
    id: idOf(row.id), text: row.text, category: row.category || null, dueDate: row.due, reminder: lengthOf(row.reminder),
    nextReminderAt: row.next_reminder_at, nudgeCount: row.nudge_count, completed: row.completed_at !== null,
    completedAt: row.completed_at, createdAt: row.created_at, updatedAt: row.updated_at,
    recurrence: repeats === null ? null : { type: repeats },
    itemContext: {
      isReminder: has, isTask: !has, isRecurring: repeats !== null, isNudge: repeats === 'NUDGE', isOverdue: due < now,
      isToday: due >= start && due < end, isTomorrowOrLater: due >= end, hasDueDate: has,
    },
  }
}

async function read(statement, values) {
  const { rows } = await pool.query({ ...statement, values })
  const now = Date.now()
  const bounds = dayOf(now)
  return rows.map(row => taskOf(row, now, bounds))
}

const resolvers = {
  Query: {
    tasks: async (_, { first, after }, { user }) => ({ nodes: await read(page, [user, after ? uuidOf(after) : 'f'.repeat(32),
      first]) }),
    task: async (_, { id }, { user }) => (await read(one, [user, uuidOf(id)]))[0] ?? null,
  },
}

const verify = createVerifier({ key: secret, algorithms: ['HS256'], requiredClaims: ['exp'] })
const app = Fastify({ logger: false })
app.register(mercurius, { schema, resolvers, jit: 1, context: request => {
  const { sub } = verify(request.headers.authorization?.slice('Bearer '.length) ?? '')
  return { user: userOf(sub) }
} })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', async () => {
  await app.close()
  await pool.end()
})
console.log(`endpoint ${address}/`)
