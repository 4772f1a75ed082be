// The gate of the schema: fails on a breaking change against the schema before the change, and says which, unless
// breaking.json lists it with its reason. A deprecation must say until when the old name stays.
//
//   node gate.mjs [--list] [base]
//
// The base is a commit: the newest release (a tag vN) when there is one, else where this branch has left main, else,
// on main itself, the commit before. --list prints what breaks as entries of breaking.json.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { buildSchema, findBreakingChanges, findDangerousChanges } from 'graphql'

const root = path.resolve(import.meta.dirname, '../..')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
  maxBuffer: 1 << 26 }).trim()
const tried = (...args) => { try { return git(...args) } catch { return '' } }

function baseOf() {
  const released = tried('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*')
  if (released) return released
  const head = git('rev-parse', 'HEAD')
  for (const main of ['origin/main', 'main']) {
    const fork = tried('merge-base', 'HEAD', main)
    if (fork && fork !== head) return fork
  }
  return tried('rev-parse', '--verify', 'HEAD~1') || head
}

// sdlAt is the schema at a commit: one file, or before there was one the files that it is made of.
function sdlAt(commit) {
  const one = tried('show', `${commit}:schema.graphql`)
  if (one) return one
  return git('ls-tree', '--name-only', commit, 'schema/').split('\n').map(file => git('show', `${commit}:${file}`)).join('\n')
}

// deprecations without a date, such as 2027-01-31.
function undated(schema) {
  const found = []
  const look = (place, { deprecationReason: reason }) => {
    if (reason != null && !/\b\d{4}-\d\d-\d\d\b/.test(reason)) found.push(place)
  }
  for (const type of Object.values(schema.getTypeMap())) {
    for (const field of Object.values(type.getFields?.() ?? {})) {
      look(`${type}.${field.name}`, field)
      for (const argument of field.args ?? []) look(`${type}.${field.name}(${argument.name}:)`, argument)
    }
    for (const value of type.getValues?.() ?? []) look(`${type}.${value.name}`, value)
  }
  return found
}

// judge compares two schemas. A field that keeps its type and gets another meaning is found by nobody.
export function judge(before, after, listed) {
  const was = buildSchema(before), is = buildSchema(after)
  const reasons = new Map(listed.map(({ change, reason }) => [change, reason]))
  const changes = findBreakingChanges(was, is).map(change => change.description)
  return {
    unlisted: changes.filter(change => !reasons.get(change)?.trim()),
    listed: changes.filter(change => reasons.get(change)?.trim()),
    dangerous: findDangerousChanges(was, is).map(change => change.description),
    undated: undated(is),
  }
}

if (process.argv[1] === import.meta.filename) {
  const args = process.argv.slice(2).filter(arg => arg !== '--list')
  const base = args[0] ?? baseOf()
  const found = judge(sdlAt(base), fs.readFileSync(path.join(root, 'schema.graphql'), 'utf8'),
    JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'breaking.json'), 'utf8')))
  if (process.argv.includes('--list')) {
    console.log(JSON.stringify(found.unlisted.map(change => ({ change, reason: '' })), null, 1))
    process.exit()
  }
  console.log(`the schema against ${base}: ${found.listed.length} breaking changes are listed with their reasons`)
  for (const change of found.dangerous) console.log(`  look at this: ${change}`)
  for (const change of found.unlisted) console.log(`  BREAKS CLIENTS: ${change}`)
  for (const place of found.undated) console.log(`  NO DATE: ${place} is deprecated; say until when it stays, as 2027-01-31`)
  if (found.unlisted.length > 0) console.log('Keep the old form, or list the change with its reason in tools/clients/breaking.json.')
  process.exit(found.unlisted.length + found.undated.length > 0 ? 1 : 0)
}
