// Relay keeps records by id alone: a record whose type or fields change under it shows two objects with one id.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createClient } from 'graphql-ws'
import runtime from 'relay-runtime'
import { start, story } from '../server.mjs'
import all from '../relay/__generated__/documentsAllSubscription.graphql.js'
import live from '../relay/__generated__/documentsLiveSubscription.graphql.js'
import log from '../relay/__generated__/documentsLogQuery.graphql.js'
import page from '../relay/__generated__/documentsPageQuery.graphql.js'
import remove from '../relay/__generated__/documentsRemoveMutation.graphql.js'
import resolve from '../relay/__generated__/documentsNodesQuery.graphql.js'
import rows from '../relay/__generated__/documentsRowsQuery.graphql.js'

const { Environment, Network, Observable, RecordSource, Store, commitMutation, createOperationDescriptor, fetchQuery,
  requestSubscription } = runtime

test('Relay keeps what the server sent', async t => {
  const server = await start()
  t.after(server.stop)
  const socket = createClient({ url: server.sockets, webSocketImpl: server.WebSocket })
  t.after(() => socket.dispose())
  const environment = new Environment({
    store: new Store(new RecordSource(), { gcReleaseBufferSize: 1000 }),
    network: Network.create(
      async ({ text }, variables) => (await fetch(server.url, { method: 'POST',
        headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query: text, variables }) })).json(),
      ({ text }, variables) => Observable.create(sink => socket.subscribe({ query: text, variables }, sink))),
  })
  // What is read stays in the store, as on a screen.
  const read = async (document, variables = {}) => {
    const operation = createOperationDescriptor(document, variables)
    environment.retain(operation)
    return [operation, await fetchQuery(environment, document, variables).toPromise()]
  }
  const shown = operation => {
    const { data, isMissingData } = environment.lookup(operation.fragment)
    assert.equal(isMissingData, false, `fields of ${operation.request.node.params.name} are missing`)
    return data
  }
  const types = () => Object.fromEntries(Object.entries(environment.getStore().getSource().toJSON())
    .filter(([id, record]) => record && !id.startsWith('client:')).map(([id, record]) => [id, record.__typename]))

  const { id, after, changes } = await story(server)
  const first = await read(page, { first: 10, after: null })
  const second = await read(page, { first: 10, after: first[1].tasks.pageInfo.endCursor })
  const others = await read(rows)
  const before = types()

  await t.test('live changes leave the records as they were', async () => {
    for (const [subscription, field, count] of [
      [live, 'taskChanged', changes.filter(change => change.type === 'TASK').length], [all, 'changed', changes.length],
    ]) {
      const seen = []
      await new Promise((resolve, reject) => {
        const { dispose } = requestSubscription(environment, { subscription, variables: { after }, onError: reject,
          onNext: data => { if (seen.push(data[field].id) === count) { dispose(); resolve() } } })
      })
      assert.equal(new Set(seen).size, count)
    }
    assert.equal(types()[id], 'Task')
    assert.deepEqual(shown(first[0]), first[1])
    assert.deepEqual(shown(second[0]), second[1])
    assert.deepEqual(shown(others[0]), others[1])
  })

  await t.test('all changes of the log are kept', async () => {
    const [operation] = await read(log, { after })
    const kept = shown(operation).changes.nodes
    assert.deepEqual(kept.map(({ id, nodeId, type, operation, cursor }) => ({ id, nodeId, type, operation, cursor })), changes)
    const after_ = types()
    for (const [key, typename] of Object.entries(before)) assert.equal(after_[key], typename, key)
  })

  await t.test('every id resolves to the same type', async () => {
    const kept = Object.entries(types()).filter(([key]) => /^[a-z]+_[0-9a-z]+$/.test(key))
    assert.ok(kept.length > 40, `${kept.length} records`)
    for (let from = 0; from < kept.length; from += 100) {
      const ids = kept.slice(from, from + 100).map(([key]) => key)
      const { nodes } = await fetchQuery(environment, resolve, { ids }).toPromise()
      assert.deepEqual(nodes.map(node => [node?.id, node?.__typename]), kept.slice(from, from + 100))
    }
  })

  await t.test('a deletion drops the record and nothing else', async () => {
    const left = types()
    await new Promise((onCompleted, onError) => commitMutation(environment, { mutation: remove, variables: { id }, onCompleted,
      onError }))
    assert.equal(environment.getStore().getSource().get(id), null)
    delete left[id]
    for (const [key, typename] of Object.entries(left)) assert.equal(types()[key], typename, key)
  })
})
