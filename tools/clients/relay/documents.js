import { graphql } from 'relay-runtime'

export const page = graphql`
  query documentsPageQuery($first: Int!, $after: String) {
    tasks(first: $first, after: $after, filter: { completed: null }) {
      nodes { id text category dueDate completed version itemContext { isOverdue isToday } subtasks { id text } }
      pageInfo { hasNextPage endCursor }
    }
  }
`

export const rows = graphql`
  query documentsRowsQuery {
    viewer { id email scopes connections { id account status } }
    lists(first: 5) { nodes { id name items { id text } } }
    memories(first: 5) { nodes { id type summary version createdAt } }
    events(first: 5) { nodes { id summary status version account sourceId } }
    emails(first: 5) { nodes { id subject account sourceId } }
    agenda { entries { title node { __typename ... on Task { text } ... on Event { summary } } } }
  }
`

export const log = graphql`
  query documentsLogQuery($after: String) {
    changes(after: $after, first: 100) {
      latestCursor
      nodes {
        id nodeId type operation at cursor
        node { id __typename ... on Task { text completed version } ... on List { name } ... on Viewer { scopes } }
      }
    }
  }
`

export const live = graphql`
  subscription documentsLiveSubscription($after: String) {
    taskChanged(after: $after) { id nodeId cursor operation at task { id text completed version } }
  }
`

export const all = graphql`
  subscription documentsAllSubscription($after: String) {
    changed(after: $after) {
      id nodeId type cursor operation at node { id __typename ... on Task { text completed version } ... on List { name } }
    }
  }
`

export const remove = graphql`
  mutation documentsRemoveMutation($id: ID!) {
    deleteTask(input: { id: $id }) { deletedId @deleteRecord userErrors { message } }
  }
`

export const resolve = graphql`
  query documentsNodesQuery($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }
`

export const dashboard = graphql`
  query documentsDashboardQuery {
    tasks(first: 5) { nodes { id text ...documents_subtasks @defer } }
    ...documents_calendar @defer
    ...documents_counts @defer
  }
`

export const calendar = graphql`
  fragment documents_calendar on Query {
    events(first: 5) { nodes { id summary start { dateTime date } } }
    tasks(first: 5) { nodes { id category } }
  }
`

export const counts = graphql`
  fragment documents_counts on Query { tasks(first: 5) { nodes { id } } }
`

export const subtasks = graphql`
  fragment documents_subtasks on Task { subtasks { id text } }
`
