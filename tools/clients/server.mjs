// A server with sample data for one test file, and what the tests ask of it beside their clients.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import WebSocket from 'ws'

// start runs the program that SERVER_PROGRAM names, with more flags, on a database that is gone afterwards.
export async function start(...flags) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'almanac-clients-'))
  const child = spawn(process.env.SERVER_PROGRAM, ['serve', '--demo', '--addr=127.0.0.1:0', `--data-dir=${home}`, ...flags],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH, HOME: home, ALMANAC_LOG_LEVEL: 'warn' } })
  const address = await new Promise((resolve, reject) => {
    let said = ''
    child.stdout.on('data', text => {
      said += text
      const found = /(http:\/\/[^\s/]+)\/mcp/.exec(said)
      if (found) resolve(found[1])
    })
    child.on('exit', code => reject(new Error(`the server ended with ${code}: ${said}`)))
    child.on('error', reject)
  })
  const ask = async (query, variables, headers) => {
    const response = await fetch(`${address}/graphql`, { method: 'POST', body: JSON.stringify({ query, variables }),
      headers: { 'Content-Type': 'application/json', ...headers } })
    const answer = await response.json()
    assert.equal(answer.errors, undefined, JSON.stringify(answer.errors))
    return answer.data
  }
  return {
    address, url: `${address}/graphql`, ask, sockets: `${address.replace('http', 'ws')}/graphql`, WebSocket,
    stop: () => new Promise(resolve => {
      child.removeAllListeners('exit')
      child.on('exit', () => { fs.rmSync(home, { recursive: true, force: true }); resolve() })
      child.kill()
    }),
  }
}

// story changes one task again and again, makes a list and another task; it returns the task's id, the place in the log
// before all that, and the changes that the log has of it.
export async function story(server) {
  const { changes: { latestCursor: after } } = await server.ask('{ changes(first: 1) { latestCursor } }')
  const { createTask: { task: { id } } } = await server.ask(
    'mutation { createTask(input: { text: "Paint the fence" }) { task { id } } }')
  for (const text of ['Paint the fence green', 'Paint the fence blue', 'Paint the fence red']) {
    await server.ask('mutation ($id: ID!, $text: String!) { updateTask(input: { id: $id, set: { text: $text } }) { task { id } } }',
      { id, text })
  }
  await server.ask('mutation { createList(input: { name: "Paints", items: ["red"] }) { list { id } } }')
  await server.ask('mutation ($id: ID!) { completeTask(input: { id: $id }) { task { id } } }', { id })
  await server.ask('mutation { updateSettings(input: { weekStart: MONDAY }) { settings { weekStart } } }')
  const { changes: { nodes } } = await server.ask(`query ($after: String) { changes(after: $after, first: 100) {
    nodes { id nodeId type operation cursor } } }`, { after })
  return { id, after, changes: nodes }
}
