// Apollo Client keeps objects by type and id, and values within the object that they stand in.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { createClient } from 'graphql-ws'
import { start, story } from '../server.mjs'

const { possibleTypes, typePolicies } = JSON.parse(fs.readFileSync(new URL('../../../clients/apollo.json', import.meta.url)))

const page = gql`query ($first: Int!, $after: String) { tasks(first: $first, after: $after, filter: { completed: null }) {
  nodes { id text category completed version itemContext { isOverdue isToday } } pageInfo { hasNextPage endCursor } } }`
const flags = gql`query ($first: Int!, $after: String) { tasks(first: $first, after: $after, filter: { completed: null }) {
  nodes { id itemContext { isRecurring hasDueDate } } context { isListing } } }`
const rows = gql`query { viewer { id email scopes settings { locale } connections { id account status } }
  agenda { entries { title node { ... on Task { id text } ... on Event { id summary } ... on Email { id subject } } } }
  freeBusy { free(first: 2) { start end } } events(first: 5) { nodes { id summary start { dateTime date } version } } }`
const log = gql`query ($after: String) { changes(after: $after, first: 100) { nodes { id nodeId type operation cursor
  node { id ... on Task { text completed } ... on List { name } } } } }`
const all = gql`subscription ($after: String) { changed(after: $after) { id nodeId type operation cursor
  node { id ... on Task { text completed } ... on List { name } } } }`
const live = gql`subscription ($after: String) { taskChanged(after: $after) { id nodeId operation cursor
  task { id text completed } } }`

test('Apollo keeps what the server sent', async t => {
  const server = await start()
  t.after(server.stop)
  const socket = createClient({ url: server.sockets, webSocketImpl: server.WebSocket })
  t.after(() => socket.dispose())
  const complaints = []
  for (const name of ['warn', 'error']) t.mock.method(console, name, (...words) => complaints.push(words.join(' ')))
  const cache = new InMemoryCache({ possibleTypes, typePolicies })
  const client = new ApolloClient({ cache, link: ApolloLink.split(({ operationType }) => operationType === 'subscription',
    new GraphQLWsLink(socket), new HttpLink({ uri: server.url })) })
  t.after(() => client.stop())
  const read = async (query, variables) => (await client.query({ query, variables })).data
  const kept = (query, variables) => cache.readQuery({ query, variables })

  const { id, after, changes } = await story(server)
  const first = { first: 10, after: null }
  const one = await read(page, first)
  const second = { first: 10, after: one.tasks.pageInfo.endCursor }
  const answers = [[page, first, one], [page, second, await read(page, second)], [flags, first, await read(flags, first)],
    [rows, {}, await read(rows, {})]]

  await t.test('values of one object are merged', () => {
    for (const [query, variables, data] of answers) assert.deepEqual(kept(query, variables), data)
  })

  await t.test('live changes and the log are all kept', async () => {
    for (const [subscription, field, count] of [
      [live, 'taskChanged', changes.filter(change => change.type === 'TASK').length], [all, 'changed', changes.length],
    ]) {
      const seen = new Set()
      await new Promise((resolve, reject) => {
        const going = client.subscribe({ query: subscription, variables: { after } }).subscribe({ error: reject,
          next: ({ data }) => { if (seen.add(data[field].id).size === count) { going.unsubscribe(); resolve() } } })
      })
    }
    await read(log, { after })
    assert.deepEqual(kept(log, { after }).changes.nodes.map(({ id, nodeId, type, operation, cursor }) =>
      ({ id, nodeId, type, operation, cursor })), changes)
    assert.equal(Object.keys(cache.extract()).filter(key => key.startsWith('Change:')).length, changes.length)
    for (const [query, variables, data] of answers) assert.deepEqual(kept(query, variables), data)
  })

  await t.test('a deletion drops the object and nothing else', async () => {
    const before = new Set(Object.keys(cache.extract()))
    await client.mutate({ variables: { id },
      mutation: gql`mutation ($id: ID!) { deleteTask(input: { id: $id }) { deletedId userErrors { message } } }`,
      update: (cache, { data }) => cache.evict({ id: `Task:${data.deleteTask.deletedId}` }) })
    before.delete(`Task:${id}`)
    const now = new Set(Object.keys(cache.extract()))
    assert.deepEqual([...before].filter(key => !now.has(key)), [])
    assert.equal(now.has(`Task:${id}`), false)
  })
  assert.deepEqual(complaints, [])
})
