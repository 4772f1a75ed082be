// Automatic persisted queries, as Apollo Client and urql speak them: a document travels once, and by its hash afterwards.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { Client, fetchExchange } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import { start } from '../server.mjs'

const sha256 = async text => createHash('sha256').update(text).digest('hex')

// recording is a fetch that notes how each document went out: whole, or by its hash alone.
const recording = () => {
  const sent = []
  return { sent, fetch: async (address, options = {}) => {
    const { query, extensions } = options.body ? JSON.parse(options.body) : Object.fromEntries(new URL(address).searchParams)
    const hashed = JSON.stringify(extensions ?? '').includes('sha256Hash')
    sent.push(`${options.method ?? 'GET'} ${query ? 'whole' : 'nothing'}${hashed ? ' hash' : ''}`)
    return fetch(address, options)
  } }
}

test('Apollo sends a document once', async t => {
  const server = await start()
  t.after(server.stop)
  for (const useGETForHashedQueries of [false, true]) {
    const { sent, fetch } = recording()
    const client = new ApolloClient({ cache: new InMemoryCache(), link: ApolloLink.from([
      new PersistedQueryLink({ sha256, useGETForHashedQueries }), new HttpLink({ uri: server.url, fetch })]) })
    t.after(() => client.stop())
    const query = useGETForHashedQueries ? gql`query A($first: Int!) { tasks(first: $first) { nodes { id } } }`
      : gql`query B($first: Int!) { tasks(first: $first) { nodes { id text } } }`
    for (const first of [1, 2, 3]) {
      const { data } = await client.query({ query, variables: { first }, fetchPolicy: 'network-only' })
      assert.equal(data.tasks.nodes.length, first)
    }
    const method = useGETForHashedQueries ? 'GET' : 'POST'
    assert.deepEqual(sent, [`${method} nothing hash`, 'POST whole hash', `${method} nothing hash`, `${method} nothing hash`])
  }
})

test('urql sends a document once, mutations too', async t => {
  const server = await start()
  t.after(server.stop)
  const { sent, fetch } = recording()
  const client = new Client({ url: server.url, fetch, preferGetMethod: false, requestPolicy: 'network-only',
    exchanges: [persistedExchange({ preferGetForPersistedQueries: false, enableForMutation: true,
      generateHash: sha256 }), fetchExchange] })
  const query = `query C($first: Int!) { tasks(first: $first) { nodes { id category } } }`
  for (const first of [1, 2]) {
    const { data, error } = await client.query(query, { first }).toPromise()
    assert.ifError(error)
    assert.equal(data.tasks.nodes.length, first)
  }
  const make = `mutation D($text: String!) { createTask(input: { text: $text }) { task { id text } } }`
  for (const text of ['once', 'twice']) {
    const { data, error } = await client.mutation(make, { text }).toPromise()
    assert.ifError(error)
    assert.equal(data.createTask.task.text, text)
  }
  assert.deepEqual(sent, ['POST nothing hash', 'POST whole hash', 'POST nothing hash', 'POST nothing hash',
    'POST whole hash', 'POST nothing hash'])
})
