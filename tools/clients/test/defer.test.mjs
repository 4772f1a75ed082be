// A deferred query comes in parts, and what a client has in the end is the whole answer.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client'
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { start } from '../server.mjs'

const read = name => JSON.parse(fs.readFileSync(new URL(`../../../clients/${name}.json`, import.meta.url)))

// What is local comes first; the calendar, which is Google's, the web and the subtasks of each task come later.
const dashboard = `query ($later: Boolean!) {
  tasks(first: 5) { nodes { id text ...Details @defer(if: $later, label: "details") } }
  ... @defer(if: $later, label: "calendar") { events(first: 5) { nodes { id summary start { dateTime date } } } }
  ... @defer(if: $later, label: "websets") {
    websets(first: 2) { nodes { id title ... @defer(if: $later, label: "items") { items(first: 2) { nodes { id } } } } }
    tasks(first: 5) { nodes { id category } }
  }
}
fragment Details on Task { category itemContext { isOverdue } subtasks { id text } }`

test('deferred queries', async t => {
  const server = await start()
  t.after(server.stop)
  const whole = await server.ask(dashboard, { later: false })
  assert.deepEqual(await server.ask(dashboard, { later: true }), whole, 'a client of JSON has the whole answer')
  assert.ok(whole.tasks.nodes.length > 1 && whole.events.nodes.length > 0)
  const complaints = []
  for (const name of ['warn', 'error']) t.mock.method(console, name, (...words) => complaints.push(words.join(' ')))

  // asked is fetch, and remembers the types of the answers.
  const media = []
  const asked = async (...request) => {
    const response = await fetch(...request)
    media.push(response.headers.get('content-type'))
    return response
  }
  // bare is an answer without the type names that caches ask for.
  const bare = value => JSON.parse(JSON.stringify(value), (key, below) => key === '__typename' ? undefined : below)

  for (const [Handler, spec] of [[Defer20220824Handler, 'deferSpec=20220824'], [GraphQL17Alpha9Handler, 'incrementalSpec=v0.2']]) {
    await t.test(`Apollo Client with ${Handler.name}`, async t => {
      const client = new ApolloClient({ cache: new InMemoryCache(read('apollo')), incrementalHandler: new Handler(),
        link: new HttpLink({ uri: server.url, fetch: asked }) })
      t.after(() => client.stop())
      const seen = []
      await new Promise((resolve, reject) => {
        const going = client.watchQuery({ query: gql(dashboard), variables: { later: true } }).subscribe({ error: reject,
          next: ({ data, error, dataState }) => {
            if (error) reject(error)
            if (data) seen.push(data)
            if (dataState === 'complete') { going.unsubscribe(); resolve() }
          } })
      })
      assert.match(media.at(-1), new RegExp(`^multipart/mixed;.*${spec}$`))
      assert.equal(seen[0].events, undefined, 'the calendar came with the first part')
      assert.ok(seen[0].tasks.nodes.every(task => task.text && task.subtasks === undefined))
      assert.deepEqual(bare(seen.at(-1)), whole)
      assert.deepEqual(bare(client.readQuery({ query: gql(dashboard), variables: { later: true } })), whole)
    })
  }

  const { values, schema } = read('graphcache')
  for (const [name, caches] of [['without a cache', []],
    ['with graphcache', [cacheExchange({ schema, keys: Object.fromEntries(values.map(name => [name, () => null])) })]]]) {
    await t.test(`urql ${name}`, async () => {
      const client = new Client({ url: server.url, preferGetMethod: false, fetch: asked, exchanges: [...caches, fetchExchange] })
      const seen = []
      // graphcache waits for ever where it may look at what it has first.
      const requestPolicy = 'network-only'
      await new Promise(resolve => client.query(dashboard, { later: true }, { requestPolicy }).subscribe(result => {
        seen.push(result)
        if (!result.hasNext) resolve()
      }))
      assert.match(media.at(-1), /^multipart\/mixed;/)
      assert.ok(seen.length > 1)
      assert.ok(seen.every(result => !result.error))
      assert.equal(seen[0].data.events ?? null, null, 'the calendar came with the first part')
      assert.deepEqual(bare(seen.at(-1).data), whole)
    })
  }
  // graphcache looks at every fragment with each part, also for fields below an object that is there already.
  assert.deepEqual(complaints.filter(text => !/The field at `category` is `undefined`/.test(text)), [])
})
