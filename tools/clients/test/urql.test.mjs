// urql's graphcache keeps entities by type and id, with the schema, so that it knows what may be null.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { Client, fetchExchange, gql, subscriptionExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { createClient } from 'graphql-ws'
import { start, story } from '../server.mjs'

const { values, schema } = JSON.parse(fs.readFileSync(new URL('../../../clients/graphcache.json', import.meta.url)))

const page = gql`query ($first: Int!, $after: String) { tasks(first: $first, after: $after, filter: { completed: null }) {
  nodes { id text category completed version itemContext { isOverdue isToday } } pageInfo { hasNextPage endCursor } } }`
const flags = gql`query ($first: Int!, $after: String) { tasks(first: $first, after: $after, filter: { completed: null }) {
  nodes { id itemContext { isRecurring hasDueDate } } context { isListing } } }`
const rows = gql`query { viewer { id email scopes settings { locale } connections { id account status } }
  agenda { entries { title node { __typename ... on Task { id text } ... on Event { id summary } ... on Email { id subject } } } }
  freeBusy { free(first: 2) { start end } } events(first: 5) { nodes { id summary start { dateTime date } version } } }`
const log = gql`query ($after: String) { changes(after: $after, first: 100) { nodes { id nodeId type operation cursor
  node { id ... on Task { text completed } ... on List { name } } } } }`
const all = gql`subscription ($after: String) { changed(after: $after) { id nodeId type operation cursor
  node { id ... on Task { text completed } ... on List { name } } } }`
const live = gql`subscription ($after: String) { taskChanged(after: $after) { id nodeId operation cursor
  task { id text completed } } }`

test('graphcache keeps what the server sent', async t => {
  const server = await start()
  t.after(server.stop)
  const socket = createClient({ url: server.sockets, webSocketImpl: server.WebSocket })
  t.after(() => socket.dispose())
  const complaints = []
  for (const name of ['warn', 'error']) t.mock.method(console, name, (...words) => complaints.push(words.join(' ')))
  const client = new Client({
    url: server.url, preferGetMethod: false,
    exchanges: [
      cacheExchange({ schema, keys: Object.fromEntries(values.map(name => [name, () => null])),
        updates: { Mutation: { deleteTask: ({ deleteTask }, _, cache) =>
          cache.invalidate({ __typename: 'Task', id: deleteTask.deletedId }) } } }),
      fetchExchange,
      subscriptionExchange({ forwardSubscription: ({ query, variables }) => ({
        subscribe: sink => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }) }) }),
    ],
  })
  const ask = async (policy, query, variables) => {
    const { data, error } = await client.query(query, variables, { requestPolicy: policy }).toPromise()
    assert.equal(error, undefined)
    return data
  }
  const read = (query, variables) => ask('network-only', query, variables)
  const kept = (query, variables) => ask('cache-only', query, variables)

  const { id, after, changes } = await story(server)
  const first = { first: 10, after: null }
  const one = await read(page, first)
  const second = { first: 10, after: one.tasks.pageInfo.endCursor }
  const answers = [[page, first, one], [page, second, await read(page, second)], [flags, first, await read(flags, first)],
    [rows, {}, await read(rows, {})]]

  await t.test('values of one object are merged', async () => {
    for (const [query, variables, data] of answers) assert.deepEqual(await kept(query, variables), data)
  })

  await t.test('live changes and the log are all kept', async () => {
    for (const [subscription, field, count] of [
      [live, 'taskChanged', changes.filter(change => change.type === 'TASK').length], [all, 'changed', changes.length],
    ]) {
      const seen = new Set()
      await new Promise((resolve, reject) => {
        const going = client.subscription(subscription, { after }).subscribe(({ data, error }) => {
          if (error) reject(error)
          else if (seen.add(data[field].id).size === count) { going.unsubscribe(); resolve() }
        })
      })
    }
    await read(log, { after })
    assert.deepEqual((await kept(log, { after })).changes.nodes.map(({ id, nodeId, type, operation, cursor }) =>
      ({ id, nodeId, type, operation, cursor })), changes)
    for (const [query, variables, data] of answers) assert.deepEqual(await kept(query, variables), data)
  })

  await t.test('a deletion drops the entity and nothing else', async () => {
    const { error } = await client.mutation(
      gql`mutation ($id: ID!) { deleteTask(input: { id: $id }) { deletedId userErrors { message } } }`, { id }).toPromise()
    assert.equal(error, undefined)
    const left = await kept(rows, {})
    assert.deepEqual(left, answers[3][2])
    const task = gql`query ($id: ID!) { task(id: $id) { id text } }`
    assert.equal(await kept(task, { id }), null)
  })
  assert.deepEqual(complaints, [])
})
