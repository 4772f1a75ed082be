//go:build bench

package main

// The documents that are asked. Each is sent with variables, as clients with generated code do, so that the server sees
// one text again and again.

// listed are the fields of a task in a list: twelve scalars, and the eight flags.
const listed = `id text category dueDate reminder nextReminderAt nudgeCount completed completedAt createdAt updatedAt
	recurrence { type }
  itemContext { isReminder isTask isRecurring isNudge isOverdue isToday isTomorrowOrLater hasDueDate }`

const listQuery = `query List($first: Int!, $after: String) {
 tasks(first: $first, after: $after) { nodes { ` + listed + ` } }
}`

const slimQuery = `query Slim($first: Int!) { tasks(first: $first) { nodes { id text dueDate completed } } }`

const fullQuery = `query Full($first: Int!) {
 tasks(first: $first) { nodes {
  id text category dueDate dueDateFormatted reminder nextReminderAt nudgeCount completed completedAt createdAt updatedAt
  recurrence { type time days dayOfMonth interval until timeZone }
  subtasks { id text completed createdAt }
  completions(first: 5) { completedAt occurrence }
  itemContext { isReminder isTask isRecurring isNudge isOverdue isToday isTomorrowOrLater hasDueDate }
 } }
}`

const boardQuery = `query Board($first: Int!) {
 tasks { categorized {
  counts { overdue today upcoming recurring noDueDate }
  overdue(first: $first) { ...listed }
  today(first: $first) { ...listed }
  upcoming(first: $first) { ...listed }
  recurring(first: $first) { ...listed }
  noDueDate(first: $first) { ...listed }
 } }
}
fragment listed on Task { ` + listed + ` }`

const oneQuery = `query One($id: ID!) { task(id: $id) { ` + listed + ` } }`

const nodesQuery = `query Nodes($ids: [ID!]!) { nodes(ids: $ids) { ... on Task { ` + listed + ` } } }`

const createQuery = `mutation Create($input: CreateTaskInput!) { createTask(input: $input) { task { ` + listed +
	` } userErrors { code message field } } }`

const bulkQuery = `mutation Bulk($input: CreateTasksInput!) {
 createTasks(input: $input) { created success tasks { id text dueDate } errors { index code } }
}`

// cursorsQuery walks over pages to find the place of a late one.
const cursorsQuery = `query Cursors($first: Int!, $after: String) { tasks(first: $first, after: $after) {
	pageInfo { endCursor } } }`
