import assert from 'node:assert/strict'
import test from 'node:test'
import { judge } from '../gate.mjs'

const before = 'type Query { a: String! b(c: Int): String }'

test('a breaking change is named, and passes with a reason', () => {
  const after = 'type Query { a: String b(c: Int): String }'
  const change = 'Query.a changed type from String! to String.'
  assert.deepEqual(judge(before, after, []).unlisted, [change])
  assert.deepEqual(judge(before, after, [{ change, reason: ' ' }]).unlisted, [change])
  const listed = judge(before, after, [{ change, reason: 'it may be unknown' }])
  assert.deepEqual([listed.unlisted, listed.listed], [[], [change]])
})

test('what breaks nobody passes', () => {
  const found = judge(before, 'type Query { a: String! b(c: Int, d: Int): String e: Int }', [])
  assert.deepEqual([found.unlisted, found.undated], [[], []])
})

test('a deprecation says until when', () => {
  const after = reason => `type Query { a: String! @deprecated(reason: "${reason}") b(c: Int): String }`
  assert.deepEqual(judge(before, after('use e'), []).undated, ['Query.a'])
  assert.deepEqual(judge(before, after('use e; goes on 2027-06-30'), []).undated, [])
})
