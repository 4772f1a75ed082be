// The examples of docs/clients.md, as they stand there.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { start, story } from '../server.mjs'

const here = path.resolve(import.meta.dirname, '..')
const folder = path.join(here, 'examples')
const page = fs.readFileSync(path.join(here, '../../docs/clients.md'), 'utf8')

test('the examples', async t => {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder)
  for (const file of ['apollo.json', 'graphcache.json']) fs.copyFileSync(path.join(here, '../../clients', file), path.join(folder, file))
  const names = [...page.matchAll(/```js\n\/\/ (\w+\.mjs)\n([^]*?)```/g)].map(([, name, code]) => {
    fs.writeFileSync(path.join(folder, name), code)
    return name
  })
  assert.equal(names.length, page.split('```js\n').length - 1, 'a block names no file')
  const server = await start()
  t.after(server.stop)
  const load = name => import(path.join(folder, name))

  for (const name of ['request.mjs', 'apollo.mjs', 'urql.mjs', 'persisted.mjs']) {
    await t.test(name, async () => {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [path.join(folder, name)],
        { env: { ...process.env, ALMANAC_URL: server.address }, timeout: 60_000 })
      assert.notEqual(stdout, '')
      assert.equal(stderr, '')
    })
  }

  await t.test('relay.mjs', async () => {
    const { environmentFor } = await load('relay.mjs')
    const { default: document } = await import('../relay/__generated__/documentsRowsQuery.graphql.js')
    const { fetchQuery } = (await import('relay-runtime')).default
    const data = await fetchQuery(environmentFor(server.address, { webSocketImpl: server.WebSocket }), document, {}).toPromise()
    assert.match(data.viewer.id, /^user_/)
  })

  await t.test('parts.mjs gives Relay each deferred fragment', async () => {
    const { askFor } = await load('parts.mjs')
    const { default: document } = await import('../relay/__generated__/documentsDashboardQuery.graphql.js')
    const { Environment, Network, RecordSource, Store, createOperationDescriptor, getSelector } = (await import('relay-runtime')).default
    const environment = new Environment({ network: Network.create(askFor(server.address)), store: new Store(new RecordSource()) })
    const operation = createOperationDescriptor(document, {})
    environment.retain(operation)
    const complaints = t.mock.method(console, 'error')
    const shown = async name => {
      const { default: fragment } = await import(`../relay/__generated__/documents_${name}.graphql.js`)
      return environment.lookup(getSelector(fragment, environment.lookup(operation.fragment).data))
    }
    const parts = []
    await new Promise((resolve, reject) => environment.execute({ operation }).subscribe({ error: reject, complete: resolve,
      next: ({ label }) => parts.push(label) }))
    assert.equal(parts[0], undefined)
    assert.ok(parts.includes('documentsDashboardQuery$defer$documents_calendar'), parts.join())
    assert.equal(parts.filter(label => label?.endsWith('documents_subtasks')).length, 5)
    const { events, tasks } = await server.ask('{ events(first: 5) { nodes { id summary start { dateTime date } } } tasks(first: 5) { nodes { id category } } }')
    for (const name of ['calendar', 'counts']) assert.equal((await shown(name)).isMissingData, false, name)
    assert.deepEqual((await shown('calendar')).data, { events, tasks })
    assert.equal(complaints.mock.callCount(), 0)
  })

  await t.test('resume.mjs gives each change once over cut connections', async () => {
    const { follow } = await load('resume.mjs')
    const { changes: { latestCursor: after } } = await server.ask('{ changes(first: 1) { latestCursor } }')
    const sockets = []
    class Cut extends server.WebSocket {
      constructor(...args) { super(...args); sockets.push(this) }
    }
    const seen = [], end = new AbortController()
    const following = follow({ url: server.address, after, signal: end.signal, webSocketImpl: Cut, pause: 1, onChange: change => {
      seen.push(change.cursor)
      sockets.at(-1).terminate()
    } })
    const { changes } = await story(server)
    for (let patience = 600; seen.length < changes.length && patience > 0; patience--) {
      await new Promise(resume => setTimeout(resume, 50))
    }
    await new Promise(resume => setTimeout(resume, 200)) // for what would come twice
    end.abort()
    await following
    assert.deepEqual(seen, changes.map(change => change.cursor))
    assert.ok(sockets.length > 1, `${sockets.length} connections`)
  })

  await t.test('offline.mjs has one effect over lost answers', async () => {
    const { Queue } = await load('offline.mjs')
    let lost = 0
    const queue = new Queue(server.address, async (...request) => {
      const response = await fetch(...request)
      if (lost++ < 2) throw new TypeError('the answer is lost')
      return response
    })
    queue.add('mutation { createTask(input: { text: "Once, offline", allowDuplicate: true }) { task { id } } }')
    await assert.rejects(queue.flush())
    await assert.rejects(queue.flush())
    const [answer] = await queue.flush()
    const { tasks } = await server.ask('{ tasks(filter: { search: "Once, offline" }) { nodes { id } } }')
    assert.deepEqual(tasks.nodes, [answer.data.createTask.task])
    assert.equal(queue.items.length, 0)
  })
})
