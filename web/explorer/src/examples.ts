/**
 * The saved example operations, as the Examples pane lists them; a few are the tabs of a first visit.
 *
 * This file is the one source. The build writes it to dist/examples.json, and a Go test validates every operation
 * against the schema in schema/*.graphqls.
 */
export interface Example {
  /** Stable name, used by tests and links. */
  readonly id: string;
  /** What it answers, in a few words. */
  readonly title: string;
  readonly kind: "query" | "mutation" | "subscription";
  /** Language of the texts inside; the pane sets its direction by it. */
  readonly language: "en" | "he";
  readonly query: string;
  /** Variables as they are written in the editor: JSON text, "" when there are none. */
  readonly variables: string;
}

const board = `# What is overdue, what is today?
#
# The whole board in one round trip. Every task stands in one
# bucket, and the flags answer what a person would ask next.
# Press ▶, or Ctrl-Enter.
query WhatIsOverdue {
  tasks(filter: { completed: false }, orderBy: { field: DUE_DATE, direction: ASC }) {
    totalCount
    context { isListing isEmpty }
    categorized {
      counts { overdue today upcoming recurring noDueDate }
      overdue(first: 10) {
        id
        text
        dueDateFormatted
        itemContext { isOverdue isToday }
      }
      today(first: 10) {
        id
        text
        dueDateFormatted
        itemContext { isOverdue isToday }
      }
      upcoming(first: 5) { id text dueDateFormatted }
      recurring(first: 5) {
        id
        text
        recurrence { type time days dayOfMonth }
        nextReminderAt
      }
      noDueDate(first: 5) { id text category }
    }
  }
}
`;

const createTask = `# Create a task
#
# A date without an offset is read in your time zone. The same
# text twice is refused with CONFLICT: run it again to see.
mutation CreateTask($input: CreateTaskInput!) {
  createTask(input: $input) {
    task {
      id
      text
      category
      dueDateFormatted
      itemContext { isReminder hasDueDate isTomorrowOrLater }
    }
    existingTask { id text }
    userErrors { code message field }
  }
}
`;

const completeTask = `# Complete a task by its text
#
# When several tasks fit alike, as two of the sample do here,
# nothing is done: the answer asks. Send it again with this
# beside target:
#   "confirm": { "token": "…", "choose": ["task_…"] }
mutation CompleteTask($input: CompleteTaskInput!) {
  completeTask(input: $input) {
    task { id text completed completedAt nextReminderAt }
    confirmation {
      kind
      question
      token
      candidates { key label score }
    }
    userErrors { code message field }
  }
}
`;

const inbox = `# What is new in my mail?
#
# Only what is selected is read from Gmail: without a body here,
# no body crosses the wire. Sender, subject and snippet are
# whatever somebody wrote. One letter of the sample tries to
# give orders; to Almanac it is text like any other.
query WhatIsNew {
  emails(filter: { label: "INBOX", unread: true }, first: 10) {
    context { isListing isEmpty }
    nodes {
      id
      from { name email }
      subject
      snippet
      dateFormatted
      starred
      attachments { filename size inline }
    }
  }
}
`;

const mailForModels = `# Mail for a language model
#
# compact gives the page as text. What others wrote stands
# between fences that nothing inside of them can forge.
query MailForModels {
  emails(filter: { label: "INBOX" }, first: 10) {
    compact(options: { maxLines: 60, maxLineLength: 160, collectMetrics: true }) {
      output
      metrics { rawBytes compactBytes savingsPercent }
    }
  }
}
`;

const conversation = `# What did they agree on?
#
# CLEAN is what each of them wrote, without quoted history and
# signatures. Ask for TEXT or HTML to see the rest.
query Conversation($words: String!) {
  emails(filter: { subject: $words, label: "INBOX" }, first: 1) {
    nodes {
      threadId
      subject
      from { name }
      body(format: CLEAN, maxChars: 2000) { text truncated totalChars }
      attachments { filename mimeType size url }
    }
  }
}
`;

const previewEmail = `# Write an e-mail, and see it first
#
# Nothing is sent by this. What is shown is exactly what would
# be: sendEmail(input: { previewId, hash }) sends it, once, within
# 24 hours.
mutation PreviewEmail($input: PreviewEmailInput!) {
  previewEmail(input: $input) {
    preview {
      id
      hash
      state
      from { email }
      to { name email }
      subject
      body
      raw
      expiresAt
      itemContext { isPreview }
    }
    userErrors { code message field }
  }
}
`;

const hebrewMail = `# דואר בעברית
#
# החיפוש בדואר של Gmail, והתאריכים כמו שאומרים אותם.
query HebrewMail($who: String!) {
  emails(filter: { from: $who }, first: 5) {
    nodes {
      subject
      from { name email }
      dateFormatted(locale: "he")
      body { text }
    }
  }
}
`;

const emailReceived = `# Watch mail arrive, live
#
# Each e-mail that comes into the inbox, once. Keep the cursor:
# with after, what came meanwhile comes first.
subscription EmailReceived {
  emailReceived {
    cursor
    at
    email { id from { name email } subject snippet }
  }
}
`;

const lists = `# Lists and what is on them
query Lists {
  lists(first: 10) {
    totalCount
    nodes {
      id
      name
      isChecklist
      items { id text checked addedAt }
    }
  }
}
`;

const updateListItems = `# Add to a list, and tick off
#
# One call, many steps, an outcome for each. The list is found by
# its name, the items by what they say.
mutation UpdateListItems($input: UpdateListItemsInput!) {
  updateListItems(input: $input) {
    list {
      id
      name
      items { id text checked }
    }
    outcomes {
      action
      status
      item { text checked }
      message
    }
    confirmation { question candidates { key label score } token }
    userErrors { code message field }
  }
}
`;

const hebrewTask = `# משימה בעברית
#
# Dates are worded in Hebrew, and search looks past niqqud and
# final letters.
mutation HebrewTask($input: CreateTaskInput!) {
  createTask(input: $input) {
    task {
      id
      text
      category
      dueDateFormatted(locale: "he")
    }
    existingTask { id text }
    userErrors { code message field }
  }
}
`;

const hebrewSearch = `# חיפוש בעברית
query HebrewSearch($words: String!) {
  tasks(filter: { search: $words }, first: 10) {
    totalCount
    nodes {
      id
      text
      category
      dueDateFormatted(locale: "he")
    }
  }
}
`;

const taskChanged = `# Watch tasks change, live
#
# Start it, then create a task in a second window. The cursor
# resumes the stream where it was left: taskChanged(after: "…").
subscription TaskChanged {
  taskChanged {
    cursor
    operation
    nodeId
    task { id text completed }
  }
}
`;

const changes = `# What changed since I last looked
#
# Keep latestCursor and send it as after the next time: nothing
# is missed, nothing comes twice, and deletions are told as well.
query Changes($after: String) {
  changes(after: $after, first: 20) {
    nodes { cursor type operation nodeId at }
    pageInfo { endCursor hasNextPage }
    latestCursor
  }
}
`;

const viewer = `# Who am I, and what is linked?
query Viewer {
  viewer {
    id
    email
    now
    settings { timeZone locale weekStart }
    scopes
    connections { provider account status standIn connectUrl }
  }
}
`;

const updateSettings = `# Change my settings
#
# Every relative answer follows: which day is today, and how a
# date is worded.
mutation UpdateSettings($input: UpdateSettingsInput!) {
  updateSettings(input: $input) {
    settings { timeZone locale weekStart }
    userErrors { code message field }
  }
}
`;

const myWeek = `# My week
#
# Every linked calendar, each occurrence of what repeats, from
# today on. Of Google only the fields selected here are asked.
query MyWeek {
  events(first: 20) {
    totalCount
    nodes {
      id
      summary
      whenFormatted
      location
      attendees { displayName responseStatus }
      itemContext { isToday isNow isRecurring isAllDay }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`;

const amIFree = `# Am I free?
#
# The next free hours within office hours, and what clashes.
query AmIFree {
  freeBusy {
    free(atLeast: "PT1H", dayStart: "09:00", dayEnd: "18:00", first: 5) { start end }
  }
  eventConflicts {
    count
    conflicts {
      event1 { summary whenFormatted }
      event2 { summary whenFormatted }
    }
  }
}
`;

const createEvent = `# Add an event
#
# Without an end it lasts an hour. Run it twice: the second time
# the first one is reported in duplicates.
mutation CreateEvent($input: CreateEventInput!) {
  createEvent(input: $input) {
    event {
      id
      summary
      whenFormatted
      reminders { overrides { method minutes } }
      itemContext { isTomorrowOrLater }
    }
    duplicates { id summary whenFormatted }
    userErrors { code message field }
  }
}
`;

const deleteTraining = `# Delete every training
#
# It repeats, so nothing is deleted yet: the answer asks which
# occurrences are meant. Send it again with this beside summary:
#   "confirm": { "token": "…", "choose": ["THIS"] }
mutation DeleteTraining($input: DeleteEventsBySummaryInput!) {
  deleteEventsBySummary(input: $input) {
    deleted
    summaries
    confirmation {
      kind
      question
      allowMultiple
      token
      candidates { key label score }
    }
    errors { message code }
    userErrors { code message field }
  }
}
`;

const searchMemories = `# Find what I once noted
#
# By meaning and by words, in either language: every hit says how
# it was found. Try "050 555 0143", or "אינטרנט".
query WhatDidINote($words: String!) {
  searchMemories(query: $words, first: 5) {
    legs
    edges {
      score
      similarity
      keywordScore
      matchedBy
      node {
        id
        type
        content
        tags
        metadata
        itemContext { memoryType hasMetadata isOverride }
      }
    }
  }
}
`;

const factsAsOf = `# What was true back then?
#
# Facts have two times: when they held, and when they were learnt. This
# searches those that held at a moment. suppressed counts what is left out
# because it held no more, or not yet; leave asOf out to ask for now.
query FactsAsOf($words: String!, $asOf: DateTime) {
  knowledge {
    facts(query: $words, asOf: $asOf, first: 5) {
      suppressed
      legs
      edges {
        score
        matchedBy
        node {
          relation
          fact
          source { name type }
          target { name type }
          validAt
          invalidAt
          expiredAt
          replacedBy
          itemContext { isCurrent isInvalidated }
          episodes { name referenceTime }
        }
      }
    }
  }
}
`;

const addFacts = `# Say what is true, without any model
#
# Entities are found by name or alias, in any language, or made. A fact that
# is known is not kept twice. exclusive closes what can no longer be true:
# the old job stays as history.
mutation AddFacts($input: AddFactsInput!) {
  addFacts(input: $input) {
    created
    unchanged
    invalidated
    entitiesCreated
    facts {
      id
      fact
      validAt
      source { id name itemContext { isNew } }
      target { id name itemContext { isNew } }
      itemContext { isNew isCurrent }
    }
    errors { index code message }
    userErrors { code message field }
  }
}
`;

const neighbours = `# Who and what is around somebody?
#
# Found by name or alias, then up to three facts away, nearest first; via is
# the last fact on the way. The path between two entities is
# knowledge { path(from: …, to: …) }.
query Around($name: String!, $depth: Int!) {
  knowledge {
    nodes(filter: { name: $name }, first: 1) {
      nodes {
        id
        name
        aliases
        summary
        facts(first: 5) { fact itemContext { isCurrent } }
        neighbours(depth: $depth, first: 20) {
          truncated
          neighbours {
            distance
            entity { name type }
            via { fact }
          }
        }
      }
    }
  }
}
`;

const formatOutput = `# Any answer, small enough for a language model
#
# formatOutput knows the answers of a knowledge graph's tools, and what this
# API gives itself. Every connection and payload has the same as compact.
query Compact($data: JSON!) {
  formatOutput(operation: "search_nodes", data: $data, options: { query: "database", collectMetrics: true }) {
    output
    usedFallback
    tokens
    metrics { rawBytes compactBytes savingsPercent rawTokens }
  }
  formatOperations
}
`;

const storeMemory = `# Keep something in mind
#
# A contact of this name is known with another number, so nothing is
# done yet: the answer asks. Send it again with this in the input:
#   "confirm": { "token": "…", "choose": ["memory_…"] }
# or choose "new" to keep both.
mutation StoreMemory($input: StoreMemoryInput!) {
  storeMemory(input: $input) {
    memory { id content version history { version content reason } }
    overridden
    context { isNew isOverride }
    confirmation {
      kind
      question
      token
      candidates { key label score }
    }
    userErrors { code message field }
  }
}
`;

const hebrewMemories = `# מה שמרתי פעם
query HebrewMemories($words: String!) {
  searchMemories(query: $words, first: 5) {
    edges {
      score
      matchedBy
      node { id type content tags metadata updatedAt }
    }
  }
}
`;

const hebrewEvents = `# היומן בעברית
query HebrewEvents($words: String!) {
  events(filter: { summary: $words }, first: 10) {
    nodes {
      id
      summary
      location
      whenFormatted(locale: "he")
    }
  }
}
`;

function variables(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

const websetItems = `# What has Exa found, in a few hundred bytes each?
#
# Only what satisfies a criterion; excluded counts the rest.
# Take the webset's id from the first answer's nodes, and go on
# after endCursor as long as hasNextPage says so.
query Found($webset: String!) {
  webset(externalId: $webset) {
    id
    title
    status
    searches { query progress { found completion } }
    items(first: 10) {
      included
      excluded
      nodes {
        name
        url
        evaluations { criterion satisfied }
        enrichments { description result }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}
`;

const createWebset = `# Search for companies, judge them, find something out
#
# It takes a minute or two: watch it with websetUntil.
mutation Search($input: CreateWebsetInput!) {
  createWebset(input: $input) {
    webset { id status enrichments { description format } }
    userErrors { code message field }
  }
}
`;

const websetUntil = `# Wait for a webset without asking again and again
#
# Put in the id of a webset that is filling. The last answer
# has done: true, or the error TIMEOUT.
subscription Until($id: ID!) {
  websetUntil(id: $id, timeoutSeconds: 300) {
    done
    webset {
      status
      searches { progress { found analyzed completion timeLeft } }
    }
  }
}
`;

const agentChat = `# Say it.
#
# A grammar of this server reads the sentence, in English or Hebrew;
# what it does not understand it refuses instead of guessing. What may
# mean several events comes back as a question.
mutation Say($text: String!) {
  agentChat(input: { text: $text }) {
    tool
    summary
    result
    success
    plan { planner title start { dateTime date } ambiguous { text reading others } }
    confirmation { kind question token candidates { key label } }
    userErrors { code message }
  }
}`;

const agenda = `# What lies before me?
#
# Events, tasks that are due and mail that waits for an answer, in
# time order. What cannot be had leaves a note, and nothing else.
query Agenda {
  agenda {
    counts { events tasks emails }
    entries { kind title atFormatted isAllDay isOverdue node { ... on Event { location } ... on Task { category } ... on Email { from { name } } } }
    notes { kind message }
    compact(options: { maxLines: 100, maxTokens: 800 }) { output tokens }
  }
}`;

/** The tabs of a first visit, one for each of the questions that people come with. The first one runs by itself. */
export const FIRST: readonly string[] = ["board", "am-i-free", "inbox", "search-memories", "task-changed"];

export const examples: readonly Example[] = [
  { id: "board", title: "What is overdue, what is today?", kind: "query", language: "en", query: board, variables: "" },
  {
    id: "create-task",
    title: "Create a task",
    kind: "mutation",
    language: "en",
    query: createTask,
    variables: variables({ input: { text: "See the northern lights", category: "travel", dueDate: "2030-01-04T18:00" } }),
  },
  {
    id: "complete-task",
    title: "Complete a task by its text",
    kind: "mutation",
    language: "en",
    query: completeTask,
    variables: variables({ input: { target: { match: { text: "finance" } } } }),
  },
  { id: "my-week", title: "My week", kind: "query", language: "en", query: myWeek, variables: "" },
  { id: "am-i-free", title: "Am I free?", kind: "query", language: "en", query: amIFree, variables: "" },
  {
    id: "create-event",
    title: "Add an event",
    kind: "mutation",
    language: "en",
    query: createEvent,
    variables: variables({ input: { summary: "Northern lights", start: { dateTime: "2030-01-04T18:00" }, location: "Tromsø", reminderMinutesBefore: 30 } }),
  },
  {
    id: "delete-training",
    title: "Delete every training",
    kind: "mutation",
    language: "en",
    query: deleteTraining,
    variables: variables({ input: { summary: "training" } }),
  },
  {
    id: "hebrew-events",
    title: "היומן בעברית",
    kind: "query",
    language: "he",
    query: hebrewEvents,
    variables: variables({ words: "רואה החשבון" }),
  },
  { id: "inbox", title: "What is new in my mail?", kind: "query", language: "en", query: inbox, variables: "" },
  { id: "mail-for-models", title: "Mail for a language model", kind: "query", language: "en", query: mailForModels, variables: "" },
  {
    id: "conversation",
    title: "What did they agree on?",
    kind: "query",
    language: "en",
    query: conversation,
    variables: variables({ words: "Team meeting" }),
  },
  {
    id: "preview-email",
    title: "Write an e-mail, and see it first",
    kind: "mutation",
    language: "en",
    query: previewEmail,
    variables: variables({ input: { to: ["Dana Levi <dana@example.com>"], subject: "Row 14", body: "Hi Dana,\n\nrow 14 is correct now.\n" } }),
  },
  {
    id: "hebrew-mail",
    title: "דואר בעברית",
    kind: "query",
    language: "he",
    query: hebrewMail,
    variables: variables({ who: "רועי" }),
  },
  { id: "lists", title: "Lists and what is on them", kind: "query", language: "en", query: lists, variables: "" },
  {
    id: "update-list-items",
    title: "Add to a list, and tick off",
    kind: "mutation",
    language: "en",
    query: updateListItems,
    variables: variables({ input: { target: { match: { name: "Groceries" } }, add: [{ text: "Dark chocolate" }], check: [{ text: "Milk" }] } }),
  },
  {
    id: "search-memories",
    title: "Find what I once noted",
    kind: "query",
    language: "en",
    query: searchMemories,
    variables: variables({ words: "wifi password" }),
  },
  {
    id: "store-memory",
    title: "Keep something in mind",
    kind: "mutation",
    language: "en",
    query: storeMemory,
    variables: variables({ input: { type: "CONTACT", content: "Jones, the landlord - Phone: 050-555-0199", metadata: { name: "Jones", phone: "050-555-0199" } } }),
  },
  {
    id: "hebrew-memories",
    title: "מה שמרתי פעם",
    kind: "query",
    language: "he",
    query: hebrewMemories,
    variables: variables({ words: "מה הקוד של השער" }),
  },
  {
    id: "facts-as-of",
    title: "What was true back then",
    kind: "query",
    language: "en",
    query: factsAsOf,
    variables: variables({ words: "where does Dana work", asOf: "2022-06-01T12:00" }),
  },
  {
    id: "add-facts",
    title: "Add facts, close old ones",
    kind: "mutation",
    language: "en",
    query: addFacts,
    variables: variables({
      input: {
        facts: [
          { source: { name: "נועה" }, relation: "lives in", target: { name: "רמת גן" }, fact: "Noa Bar lives in Ramat Gan.", validAt: "2026-01-01T00:00", exclusive: true },
          { source: { name: "Amit" }, relation: "plays", target: { name: "Chess club", type: "Club" } },
        ],
      },
    }),
  },
  {
    id: "neighbours",
    title: "Who and what is around Dana",
    kind: "query",
    language: "en",
    query: neighbours,
    variables: variables({ name: "דנה לוי", depth: 2 }),
  },
  {
    id: "webset-items",
    title: "What Exa has found",
    kind: "query",
    language: "en",
    query: websetItems,
    variables: variables({ webset: "water-and-food" }),
  },
  {
    id: "create-webset",
    title: "Search for companies with Exa",
    kind: "mutation",
    language: "en",
    query: createWebset,
    variables: variables({
      input: {
        search: { query: "Startups in Israel that work on water", count: 10, entity: { type: "company" }, criteria: ["Headquartered in Israel", "Works on water"] },
        enrichments: [{ description: "Number of employees", format: "number" }],
      },
    }),
  },
  { id: "webset-until", title: "Wait for a webset, live", kind: "subscription", language: "en", query: websetUntil, variables: variables({ id: "webset_…" }) },
  {
    id: "format-output",
    title: "Small enough for a model",
    kind: "query",
    language: "en",
    query: formatOutput,
    variables: variables({
      data: {
        nodes: [
          { name: "PostgreSQL", labels: ["Entity", "Database"], uuid: "0b6f2d3c-6a57-4c1d-9d4e-2a6f5c1b7e90", summary: "Keeps everything, for many users." },
          { name: "SQLite", labels: ["Entity", "Database"], uuid: "5d1c9e7a-1f43-4b8e-8c55-90ab3fd61c22", summary: "Keeps everything in one file." },
        ],
      },
    }),
  },
  {
    id: "hebrew-task",
    title: "משימה בעברית",
    kind: "mutation",
    language: "he",
    query: hebrewTask,
    variables: variables({ input: { text: "לקנות פרחים לשבת (2 זרים)", category: "בית", dueDate: "2030-01-04T12:00" } }),
  },
  {
    id: "hebrew-search",
    title: "חיפוש בעברית",
    kind: "query",
    language: "he",
    query: hebrewSearch,
    variables: variables({ words: "פרחים" }),
  },
  { id: "task-changed", title: "Watch tasks change, live", kind: "subscription", language: "en", query: taskChanged, variables: "" },
  { id: "email-received", title: "Watch mail arrive, live", kind: "subscription", language: "en", query: emailReceived, variables: "" },
  { id: "agenda", title: "What lies before me?", kind: "query", language: "en", query: agenda, variables: "" },
  {
    id: "agent-chat",
    title: "Say it",
    kind: "mutation",
    language: "en",
    query: agentChat,
    variables: variables({ text: "Schedule a call with Dana tomorrow at 2pm" }),
  },
  {
    id: "agent-chat-hebrew",
    title: "לומר את זה",
    kind: "mutation",
    language: "he",
    query: agentChat,
    variables: variables({ text: "קבע פגישה עם דנה מחר ב-14:00" }),
  },
  { id: "changes", title: "What changed since I last looked", kind: "query", language: "en", query: changes, variables: variables({ after: null }) },
  { id: "viewer", title: "Who am I, and what is linked?", kind: "query", language: "en", query: viewer, variables: "" },
  {
    id: "update-settings",
    title: "Change my settings",
    kind: "mutation",
    language: "en",
    query: updateSettings,
    variables: variables({ input: { timeZone: "Asia/Jerusalem", locale: "en", weekStart: "SUNDAY" } }),
  },
];
