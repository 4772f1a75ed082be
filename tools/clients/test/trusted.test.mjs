// Trusted documents: what Relay's compiler writes, and the forms of Apollo's and GraphQL Code Generator's manifests.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { print } from 'graphql'
import { createClient } from 'graphql-ws'
import { start } from '../server.mjs'

const here = path.resolve(import.meta.dirname, '..')

const folder = t => {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'almanac-documents-'))
  t.after(() => fs.rmSync(made, { recursive: true, force: true }))
  return made
}

test('what the Relay compiler persists runs by its id, and nothing else does', async t => {
  const made = folder(t), file = path.join(made, 'documents.json')
  fs.writeFileSync(file, '{}')
  fs.cpSync(path.join(here, 'relay'), path.join(made, 'src'), { recursive: true,
    filter: source => !source.includes('__generated__') })
  fs.copyFileSync(path.join(here, '../../schema.graphql'), path.join(made, 'schema.graphql'))
  fs.writeFileSync(path.join(made, 'relay.config.json'), JSON.stringify({ src: 'src', schema: 'schema.graphql',
    language: 'javascript', persistConfig: { file: 'documents.json', algorithm: 'SHA256' } }))
  await promisify(execFile)(path.join(here, 'node_modules/.bin/relay-compiler'), ['relay.config.json'], { cwd: made })
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'))
  assert.ok(Object.keys(manifest).length > 3)

  const server = await start(`--documents=${file}`, '--documents-only')
  t.after(server.stop)
  const [id] = Object.entries(manifest).find(([, text]) => text.includes('query documentsRowsQuery'))
  const ask = async body => (await fetch(server.url, { method: 'POST', body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' } })).json()
  const { data, errors } = await ask({ documentId: id })
  assert.equal(errors, undefined)
  assert.match(data.viewer.id, /^user_/)
  assert.equal((await ask({ documentId: 'unknown' })).errors[0].extensions.code, 'PERSISTED_QUERY_NOT_FOUND')
  assert.equal((await ask({ query: '{ viewer { id } }' })).errors[0].extensions.code, 'BAD_USER_INPUT')

  const socket = createClient({ url: server.sockets, webSocketImpl: server.WebSocket, retryAttempts: 0 })
  t.after(() => socket.dispose())
  const answers = []
  for await (const answer of socket.iterate({ query: '', documentId: id })) answers.push(answer.data.viewer.id)
  assert.deepEqual(answers, [data.viewer.id])
})

test("Apollo sends the ids of its manifest's form", async t => {
  const file = path.join(folder(t), 'persisted-query-manifest.json')
  const query = gql`query Trusted($first: Int!) { tasks(first: $first) { nodes { id __typename } __typename } }`
  const id = 'trusted-1'
  fs.writeFileSync(file, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1,
    operations: [{ id, name: 'Trusted', type: 'query', body: print(query) }] }))
  const server = await start(`--documents=${file}`, '--documents-only')
  t.after(server.stop)
  const client = new ApolloClient({ cache: new InMemoryCache(), link: ApolloLink.from([
    new PersistedQueryLink({ generateHash: () => id }), new HttpLink({ uri: server.url })]) })
  t.after(() => client.stop())
  const { data } = await client.query({ query, variables: { first: 2 } })
  assert.equal(data.tasks.nodes.length, 2)
})

test("ids of GraphQL Code Generator's form run", async t => {
  const file = path.join(folder(t), 'persisted-documents.json')
  const text = 'query Trusted { viewer { id } }', hash = createHash('sha1').update(text).digest('hex')
  fs.writeFileSync(file, JSON.stringify({ [hash]: text }))
  const server = await start(`--documents=${file}`, '--documents-only')
  t.after(server.stop)
  const response = await fetch(`${server.url}?documentId=${hash}`)
  assert.match((await response.json()).data.viewer.id, /^user_/)
})
