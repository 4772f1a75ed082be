/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The way in which a mutation came. */
export type ActionSource =
  /** A sentence to the agent: `agentChat` or `/agent/chat`. */
  | 'AGENT'
  /** A client of the GraphQL API. */
  | 'GRAPHQL'
  /** A tool that a language model called over MCP. */
  | 'MCP';

/** An item to add. */
export type AddListItemInput = {
  /** Whether it is ticked already. */
  checked?: boolean;
  /** Its position from 0; at the end when left out or beyond it. */
  position?: number | null | undefined;
  /** The text, 1–500 characters. */
  text: string;
};

/** Which task gets a step. */
export type AddSubtaskInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The task. */
  target?: TaskTargetInput | null | undefined;
  /** The task's id; short for `target: { id }`. */
  taskId?: string | null | undefined;
  /** What the step is, 1–2,000 characters. */
  text: string;
};

/** The types of agenda entries. */
export type AgendaKind =
  /** An e-mail that waits for an answer. */
  | 'EMAIL'
  /** An event. */
  | 'EVENT'
  /** A task. */
  | 'TASK';

/** A sentence for the agent. */
export type AgentChatInput = {
  /** The `next` of an earlier answer to the same text: shows the entries that follow it. */
  after?: string | null | undefined;
  /**
   * The answer to an earlier confirmation for the same text. `choose` also takes a candidate's number, from "1", or its
   * label, and "none" as `none` does.
   */
  confirm?: ConfirmInput | null | undefined;
  /**
   * How many tokens `summary` and `result` may have together, 500–100,000, by the estimate of compact text (a quarter of
   * the ASCII characters and half of all others). A list shows as many entries as fit; `events` and `nodes` have the same.
   */
  maxTokens?: number;
  /** What to do, 1–10,000 characters. */
  text: string;
};

/** The tools of the agent. */
export type AgentTool =
  /** Complete a task: "mark call mom as done". */
  | 'complete_task'
  /** Create an event. */
  | 'create'
  /** Create a list: "create a list called Party with cake and candles". */
  | 'create_list'
  /** Add one task, or several after a confirmation: "remind me to call mom at 6pm". */
  | 'create_task'
  /** Delete an event. */
  | 'delete'
  /** Delete a list: "delete the packing list". */
  | 'delete_list'
  /** Erase a memory, after a confirmation: "forget that the code is 4411". */
  | 'delete_memory'
  /** Delete a task: "delete the reminder to call mom". */
  | 'delete_task'
  /** List the next events. */
  | 'read'
  /** Show a list, or the names of all: "what's on the shopping list". */
  | 'read_lists'
  /** List e-mails: "any mail from Dana". */
  | 'read_mail'
  /** List tasks: "what are my tasks today". */
  | 'read_tasks'
  /** List the events of a period. */
  | 'schedule'
  /** Search events by words. */
  | 'search'
  /** Search memories: "what do I know about Dana". */
  | 'search_memories'
  /**
   * Several things, each with one of the tools above that change something, after a confirmation: "cancel the gym tomorrow
   * and move lunch to 3pm".
   */
  | 'several'
  /** Store a memory: "remember that Dana is allergic to peanuts". */
  | 'store_memory'
  /** Undo the last action that can be undone: "undo that". */
  | 'undo'
  /** Change an event. */
  | 'update'
  /** Add, check or remove items of a list: "add milk and eggs to the shopping list". */
  | 'update_list'
  /** Move a task to another time, or rename it: "move the task call mom to Friday at 10am". */
  | 'update_task';

/** The input of `cancelWebset`. */
export type CancelWebsetInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The webset's id; short for `target: { id }`. */
  id?: string | null | undefined;
  /** The webset. */
  target?: WebsetTargetInput | null | undefined;
};

/** What happened to a record. */
export type ChangeOperation =
  /** A task, or one occurrence of it, was completed. */
  | 'COMPLETED'
  /** It was added. */
  | 'CREATED'
  /** It was deleted; only its id remains. */
  | 'DELETED'
  /** A reminder of a task, or of an event of an own calendar, became due: remind the user now. */
  | 'REMINDED'
  /** It was changed. */
  | 'UPDATED';

/** The answer to a confirmation: exactly one of `choose`, `all` and `none`. */
export type ConfirmInput = {
  /**
   * Choose all candidates; only where `allowMultiple`. For an APPROVAL it confirms everything that the question is about,
   * also beyond the candidates.
   */
  all?: boolean | null | undefined;
  /** The keys of the candidates chosen. */
  choose?: Array<string> | null | undefined;
  /**
   * None of the candidates: nothing is done, the token is used up, and the payload shows no change, no confirmation and no
   * error.
   */
  none?: boolean | null | undefined;
  /** The token of the confirmation. */
  token: string;
};

/** What a confirmation asks. */
export type ConfirmationKind =
  /** The mutation has far-reaching effects; confirm it. */
  | 'APPROVAL'
  /** A memory like this exists; choose to replace it or to keep both. */
  | 'MEMORY_OVERRIDE'
  /**
   * The series would move to a day that not every month has; choose `LAST_DAY` (a month without it has the last day
   * instead), `SKIP` (such a month has no occurrence), or `THIS` occurrence alone.
   */
  | 'MONTH_DAYS'
  /** A text may mean several records; choose one or more. */
  | 'PICK_MANY'
  /** A text may mean several records, or is only like one; choose one. */
  | 'PICK_ONE'
  /**
   * The event repeats; choose `FROM_NOW` (the first occurrence that is not past and all after it), `THIS` one, this and
   * the `FOLLOWING`, or the whole `SERIES`, past occurrences too.
   */
  | 'RECURRING_SCOPE'
  /** What is to be undone was changed since; choose to undo the rest (`rest`) or all (`all`). */
  | 'UNDO_CHANGED';

/** A list to add. */
export type CreateListInput = {
  /** Whether its items can be ticked. */
  isChecklist?: boolean;
  /** Its first items, in order, at most 1,000. */
  items?: Array<string> | null | undefined;
  /** The name, 1–200 characters. */
  name: string;
};

/** A task to add. */
export type CreateTaskInput = {
  /** Add it even if an open task has the same text. */
  allowDuplicate?: boolean;
  /** A free label, at most 50 characters. */
  category?: string | null | undefined;
  /**
   * When it is due. Not together with a recurrence other than NUDGE. `{ text: "Friday at noon" }` is a time in words as
   * `parseTime` reads it: it must name one instant. One that has several readings is refused with them.
   */
  dueDate?: string | null | undefined;
  /** The recurrence. */
  recurrence?: RecurrenceInput | null | undefined;
  /** How long before the due date to remind. Needs a due date, excludes a recurrence. */
  reminder?: string | null | undefined;
  /** Its first steps, at most 200. */
  subtasks?: Array<string> | null | undefined;
  /** What is to be done, 1–2,000 characters. */
  text: string;
};

/** What a token is for. */
export type CreateTokenInput = {
  /** When it ends by itself; null or left out: never, or with the API token that asks. */
  expiresAt?: string | null | undefined;
  /** What to call it, 1–100 printable characters: `phone`. */
  name: string;
  /**
   * How many questions to systems that cost money, Exa and language models, it may put an hour, 0–1000000: 0 for none
   * (FORBIDDEN). More are RATE_LIMITED until there is a share again. Null or left out: no bound of its own. A token that
   * has a bound makes only tokens with 0, which it does when this is left out.
   */
  paidPerHour?: number | null | undefined;
  /**
   * The addresses, and domains like `@example.com`, that it may send e-mail to, at most 50. Null or left out: anybody, or
   * those of the token that asks. A token with recipients tells no guests of events.
   */
  recipients?: Array<string> | null | undefined;
  /** What it allows, at least one. */
  scopes: Array<Scope>;
};

/** The input of `createWebsetImport`. */
export type CreateWebsetImportInput = {
  /** How many rows it has, without the first line; of a list that is uploaded afterwards. */
  count?: number | null | undefined;
  /** The list itself, with a first line of names, within the limit of a request's body; left out to upload it afterwards. */
  csv?: string | null | undefined;
  /** The type of entity that the rows are. */
  entity: WebsetEntityInput;
  /** The column of what names a row (an address, a name), from 0; chosen by Exa when left out. */
  identifierColumn?: number | null | undefined;
  /** Metadata to store with it: an object of strings of at most 1,000 characters each. */
  metadata?: unknown;
  /** The size of the file in bytes, 1–50,000,000; of a list that is uploaded afterwards. */
  size?: number | null | undefined;
  /** A title. */
  title?: string | null | undefined;
};

/** The input of `createWebset`. */
export type CreateWebsetInput = {
  /** The enrichments: what to find for each item. */
  enrichments?: Array<WebsetEnrichmentInput> | null | undefined;
  /** Imports and other websets whose items are excluded. */
  exclude?: Array<WebsetSourceInput> | null | undefined;
  /** A name that the caller chooses, 1–300 characters; unique among websets, and accepted by `webset(externalId)`. */
  externalId?: string | null | undefined;
  /** Imports and other websets whose items are added. */
  import?: Array<WebsetSourceInput> | null | undefined;
  /** Metadata to store with it: an object of strings of at most 1,000 characters each. */
  metadata?: unknown;
  /** What to search for. */
  search?: WebsetSearchInput | null | undefined;
};

/** The input of `createWebsetMonitor`. */
export type CreateWebsetMonitorInput = {
  /** `append` or `override`. */
  behavior?: string;
  /** How many items to look for each time, at least 1. */
  count?: number;
  /** The criteria, 1–5 strings of at most 1,000 characters; chosen by Exa when left out. */
  criteria?: Array<string> | null | undefined;
  /**
   * When: five fields as in cron (minute, hour, day of month, month, day of week), at most once a day, such as `0 9 * *
   * 1`.
   */
  cron: string;
  /** The type of entity; chosen by Exa when left out. */
  entity?: WebsetEntityInput | null | undefined;
  /** Metadata to store with it: an object of strings of at most 1,000 characters each. */
  metadata?: unknown;
  /** What to search for, 2–10,000 characters; the query of the last search when left out. */
  query?: string | null | undefined;
  /** The IANA time zone of `cron`; the viewer's when left out. */
  timeZone?: string | null | undefined;
  /** A webset's id. */
  websetId: string;
};

/** An event to be deleted. */
export type DeleteEventInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The event's id; alternatively, `target`. */
  id?: string | null | undefined;
  /** Only if the event still has this `version`; else CONFLICT. */
  ifVersion?: string | null | undefined;
  /** Which occurrences of a series to apply it to; asked when left out. */
  scope?: EventScope | null | undefined;
  /** Whom Google notifies by e-mail. */
  sendUpdates?: SendUpdates | null | undefined;
  /** The event. */
  target?: EventTargetInput | null | undefined;
};

/** Which list to delete. Give `id` or `target`. */
export type DeleteListInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The list's id; short for `target: { id }`. */
  id?: string | null | undefined;
  /** The list. */
  target?: ListTargetInput | null | undefined;
};

/** The memories to delete: `ids`, or `filter`. */
export type DeleteMemoriesInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** All that this filter finds; the empty filter finds all. Asks first. */
  filter?: MemoryFilter | null | undefined;
  /** Their ids, 1–200. */
  ids?: Array<string> | null | undefined;
  /** Texts that name memories, by the rules of `MemoryMatchInput`, 1–20. Asks first. */
  texts?: Array<string> | null | undefined;
};

/** Which task to delete. Give `id` or `target`. */
export type DeleteTaskInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The task's id; short for `target: { id }`. */
  id?: string | null | undefined;
  /** Only if the task still has this `version`; else CONFLICT, and `task` is the task as it is. */
  ifVersion?: string | null | undefined;
  /** The task. */
  target?: TaskTargetInput | null | undefined;
};

/** The input of `deleteWebsetImport`. */
export type DeleteWebsetImportInput = {
  /** An import's id. */
  id: string;
};

/** The input of `deleteWebset`. */
export type DeleteWebsetInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The webset's id; short for `target: { id }`. */
  id?: string | null | undefined;
  /** The webset. */
  target?: WebsetTargetInput | null | undefined;
};

/** The input of `deleteWebsetMonitor`. */
export type DeleteWebsetMonitorInput = {
  /** A monitor's id. */
  id: string;
};

/**
 * A text that names an e-mail that was received: its subject, or words that only one conversation's subject and sender
 * explain, by the rule of `TaskMatchInput`; of a conversation the newest e-mail. It is looked for among the newest 100 of
 * each account whose subject or sender has a word of the text; not in spam and trash. What is only like it is asked about;
 * what shares no word with it is NOT_FOUND.
 */
export type EmailMatchInput = {
  /** Only this linked account, by its e-mail address; all of them when left out. */
  account?: string | null | undefined;
  /** The text, or words of it, 1–500 characters. */
  text: string;
};

/** Which e-mail: by its id or by a text. */
export type EmailTargetInput =
  {   /** The e-mail's id. */
  id: string; match?: never; }
  |  { id?: never;   /** By its subject and its sender. */
  match: EmailMatchInput; };

/** All error codes: of `userErrors[].code`, of the `errors` of bulk payloads and of `errors[].extensions.code`. */
export type ErrorCode =
  /** The request has an invalid value; the message names the field and what is allowed. */
  | 'BAD_USER_INPUT'
  /** The confirmation token is wrong, expired, used, or belongs to another request. Nothing was changed. */
  | 'CONFIRMATION_INVALID'
  /**
   * It conflicts with an existing record (a task of the same text, a list of the same name), or a cursor or version is out
   * of date.
   */
  | 'CONFLICT'
  /** The token's scopes do not allow this. */
  | 'FORBIDDEN'
  /** The `Idempotency-Key` was used before with another request. */
  | 'IDEMPOTENCY_CONFLICT'
  /** An error of this server. Its cause is in the server's log under `extensions.traceId`. */
  | 'INTERNAL'
  /** This server is not configured for it. */
  | 'NOT_CONFIGURED'
  /** The account that is needed is not linked; `extensions.connectUrl` is where to link it. */
  | 'NOT_CONNECTED'
  /** The caller has no record with this id or name. */
  | 'NOT_FOUND'
  /**
   * The document that was named by its hash alone is not kept here. Send it once more with its text; Apollo's and urql's
   * clients do so by themselves.
   */
  | 'PERSISTED_QUERY_NOT_FOUND'
  /** The document is beyond a published limit; the message says which, the number measured and the number allowed. */
  | 'QUERY_TOO_EXPENSIVE'
  /** Too many requests; `extensions.retryAfterMs` is how long to wait. */
  | 'RATE_LIMITED'
  /** It took too long and was aborted. */
  | 'TIMEOUT'
  /** There is no token, or it is not valid or no longer valid. */
  | 'UNAUTHENTICATED'
  /** The remote service limits requests; `extensions.retryAfterMs` is how long to wait. */
  | 'UPSTREAM_RATE_LIMITED'
  /** The remote service refused; `extensions.reason` is its reason. */
  | 'UPSTREAM_REJECTED'
  /** The remote service does not answer, or answers with an error of its own. */
  | 'UPSTREAM_UNAVAILABLE';

/** An attendee to invite. */
export type EventAttendeeInput = {
  /** The name. */
  displayName?: string | null | undefined;
  /** The address. */
  email: string;
  /** Whether attendance is optional. */
  optional?: boolean | null | undefined;
};

/**
 * Names an event by its title; all other conditions must hold. An equal title (without case, niqqud and final letters) is
 * meant. Otherwise every word that says something must be found in the title, as the same word or a form of it (plural,
 * Hebrew prefix, common abbreviation), and in no other event's. Words like "the", "event" and "my" may be missing; a word
 * like "appointment" or "lesson" where the others are the whole title. Typing mistakes, beginnings of words and synonyms
 * are never acted on: the mutation then asks, about the events that share a word with the text, at most five. NOT_FOUND
 * when none does.
 */
export type EventMatchInput = {
  /** Only this linked account, by its e-mail address. */
  account?: string | null | undefined;
  /** Only these calendars, by `Calendar.id` or address. */
  calendarIds?: Array<string> | null | undefined;
  /** Only what starts on this day of the week, in the viewer's time zone. */
  dayOfWeek?: Weekday | null | undefined;
  /** Only events that start before this time of day, `HH:mm`, in the viewer's time zone. */
  endTime?: string | null | undefined;
  /** Only events that end after this time of day, `HH:mm`, in the viewer's time zone. */
  startTime?: string | null | undefined;
  /** The title, or words of it. */
  summary: string;
  /** Only what starts before this; 90 days from now when left out. */
  timeMax?: string | null | undefined;
  /** Only what ends after this; the start of yesterday when left out. */
  timeMin?: string | null | undefined;
};

/** What to change of an event. What is left out stays; null clears. */
export type EventPatch = {
  /**
   * Makes it all-day, on the days that it touches; or, with false, timed, which needs a `start` with a time and lasts one
   * hour without `end`.
   */
  allDay?: boolean | null | undefined;
  /** The attendees, as a whole list; responses of those who remain are kept. Null removes all. */
  attendees?: Array<EventAttendeeInput> | null | undefined;
  /** Google's colour id, 1–11; null for the calendar's colour. */
  colorId?: string | null | undefined;
  /** The description. */
  description?: string | null | undefined;
  /** When it ends, exclusive; cannot be cleared. */
  end?: EventTimeInput | null | undefined;
  /** The location. */
  location?: string | null | undefined;
  /**
   * How it repeats, for a series: the whole list of lines, of which the start must still be the first occurrence. Null
   * makes it a single event.
   */
  recurrence?: Array<string> | null | undefined;
  /** A popup this many minutes before the start; null for none. */
  reminderMinutesBefore?: number | null | undefined;
  /** When it reminds; null means as the calendar does. */
  reminders?: EventRemindersInput | null | undefined;
  /** The viewer's response to the invitation. */
  response?: ResponseStatus | null | undefined;
  /**
   * When it starts; cannot be cleared. Without an `end`, the length stays, but an all-day event that becomes timed lasts
   * one hour.
   */
  start?: EventTimeInput | null | undefined;
  /** The title; cannot be cleared. */
  summary?: string | null | undefined;
  /** The IANA time zone, for times without an offset. */
  timeZone?: string | null | undefined;
  /** Whether the time is shown as free. */
  transparent?: boolean | null | undefined;
  /** Who sees the details. */
  visibility?: EventVisibility | null | undefined;
};

/** One reminder of an event. */
export type EventReminderInput = {
  /** How it reminds. */
  method?: ReminderMethod | null | undefined;
  /** How many minutes before the start: 0 (at the start) to 40320 (four weeks). */
  minutes: number;
};

/** When an event reminds: as its calendar does, or as `overrides` says, none at all when they are empty. */
export type EventRemindersInput = {
  /** At most five. */
  overrides?: Array<EventReminderInput> | null | undefined;
  /** As the calendar does; not together with `overrides`. */
  useDefault?: boolean | null | undefined;
};

/** Which occurrences of a series a mutation applies to. */
export type EventScope =
  /** This one and those after it. */
  | 'FOLLOWING'
  /**
   * FOLLOWING of the first occurrence that has not ended, whichever was named; the id of the series will do. NOT_FOUND
   * when all have.
   */
  | 'FROM_NOW'
  /**
   * All of them, past ones too. Occurrences that were changed by themselves keep what was changed, also when the series
   * moves: they stay where they were moved to, and are there once.
   */
  | 'SERIES'
  /** This one alone. */
  | 'THIS';

/** Selects an event. */
export type EventTargetInput =
  {   /** By its id. */
  id: string; match?: never; }
  |  { id?: never;   /** By its title and other conditions. */
  match: EventMatchInput; };

/** A start or an end as it comes in. */
export type EventTimeInput =
  {   /** A day, for all-day events. As an end, exclusive: the day after the last. */
  date: string; dateTime?: never; text?: never; }
  |  { date?: never;   /** An instant; without an offset, in the `timeZone` that the same input names, else in the viewer's. */
  dateTime: string; text?: never; }
  |  { date?: never; dateTime?: never;   /**
   * A time in words as `parseTime` reads it, in the zone of `dateTime`: an instant ("tomorrow at 17:00") or a day
   * ("tomorrow"; as an end exclusive, as `date`). Ranges and recurrences are refused, and so is a text with several
   * readings, which the error has in `readings`.
   */
  text: string; };

/** Who sees the details of an event. */
export type EventVisibility =
  /** Only those who are invited; kept for old clients. */
  | 'CONFIDENTIAL'
  /** As the calendar has it. */
  | 'DEFAULT'
  /** Only those who are invited. */
  | 'PRIVATE'
  /** Everybody who sees the calendar. */
  | 'PUBLIC';

/** Which item of the list: exactly one of the two. */
export type ListItemRefInput =
  {   /** The item's id. */
  id: string; text?: never; }
  |  { id?: never;   /**
   * The text, or words of it, by the rules of `ListMatchInput`. A text that may mean several items, or is only like one,
   * fails with them in `ListItemOutcome.candidates`.
   */
  text: string; };

/**
 * Names a list. An equal name (without case, niqqud and final letters) is meant. Otherwise every word that says something
 * must be found in the list's name, as the same word or a form of it, and in no other list's; words like "the" and "list"
 * may be missing. If not, the mutation asks about the lists that share a word with the text, at most five. NOT_FOUND when
 * none does.
 */
export type ListMatchInput = {
  /** The name, or words of it. */
  name: string;
};

/** Which list: exactly one of the two. */
export type ListTargetInput =
  {   /** The list's id. */
  id: string; match?: never; }
  |  { id?: never;   /** By its name. */
  match: ListMatchInput; };

/** Which e-mails to mark, and how. Absent and null: stays as it is. */
export type MarkEmailsInput = {
  /** Out of the inbox (true) or back into it (false). */
  archived?: boolean | null | undefined;
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** Their ids, 1–1,000. */
  ids?: Array<string> | null | undefined;
  /** As important (true) or not. */
  important?: boolean | null | undefined;
  /** As read (true) or unread (false). */
  read?: boolean | null | undefined;
  /** With a star (true) or without. */
  starred?: boolean | null | undefined;
  /** One e-mail, in place of `ids`. */
  target?: EmailTargetInput | null | undefined;
};

/**
 * Which memories; all parts must match, and all are checked by the database. At most 50 conditions, each nested filter,
 * tag, bound of time and entry of metadata counted, nested at most 5 deep. An empty list is no condition. Parts that
 * exclude each other, such as a `createdBefore` that is not after `createdAfter`, are refused.
 */
export type MemoryFilter = {
  /** All of these must match too. */
  and?: Array<MemoryFilter> | null | undefined;
  /** First stored at this moment or later. */
  createdAfter?: string | null | undefined;
  /** First stored before this moment. */
  createdBefore?: string | null | undefined;
  /** With metadata (true) or without any (false). */
  hasMetadata?: boolean | null | undefined;
  /**
   * With these entries in the metadata: every entry of this object must be there with the same value; nested objects are
   * compared entry by entry, and a value in a list matches when the memory's list contains it.
   */
  metadata?: unknown;
  /** This must not match. */
  not?: MemoryFilter | null | undefined;
  /** At least one of these must match too. */
  or?: Array<MemoryFilter> | null | undefined;
  /** With all of these tags, compared without case and niqqud. */
  tags?: Array<string> | null | undefined;
  /** With at least one of these tags. */
  tagsAny?: Array<string> | null | undefined;
  /** With none of these tags. */
  tagsNone?: Array<string> | null | undefined;
  /** Of one of these types; a single one may be given without brackets. */
  type?: Array<MemoryType> | null | undefined;
  /** Last changed at this moment or later. */
  updatedAfter?: string | null | undefined;
  /** Last changed before this moment. */
  updatedBefore?: string | null | undefined;
};

/**
 * A text that names a memory: its content or summary, a contact's name or a key-value's subject, or words that are all
 * found in only one of them, by the rule of `TaskMatchInput`. Of a content far longer than the text the first 400
 * characters count. What is only like it is asked about; what shares no word with it is NOT_FOUND, however near in
 * meaning: to look for that ask `searchMemories`. For a deletion, words that leave out what may make it another thing are
 * asked about too.
 */
export type MemoryMatchInput = {
  /** The text, or words of it, 1–2,000 characters. */
  text: string;
};

/**
 * What to change of a memory. Absent: stays as it is. Null clears `summary`, `tags`, `metadata` and `expiresAt`, and is
 * refused elsewhere.
 */
export type MemoryPatch = {
  /** What to remember. */
  content?: string | null | undefined;
  /** When it expires. */
  expiresAt?: string | null | undefined;
  /** The metadata as a whole. */
  metadata?: unknown;
  /** A one-line summary. */
  summary?: string | null | undefined;
  /** The tags as a whole. */
  tags?: Array<string> | null | undefined;
  /** The type. */
  type?: MemoryType | null | undefined;
};

/** What replaced a version of a memory. */
export type MemoryReplacement =
  /** `storeMemory` with something that was known differently. */
  | 'OVERRIDDEN'
  /** `restoreMemory`. */
  | 'RESTORED'
  /** `updateMemory`, or an import. */
  | 'UPDATED';

/** Which memory: by its id or by a text. */
export type MemoryTargetInput =
  {   /** The memory's id. */
  id: string; match?: never; }
  |  { id?: never;   /** By what it says. */
  match: MemoryMatchInput; };

/** Types of memories. */
export type MemoryType =
  /** A person or an organisation. */
  | 'CONTACT'
  /** A named value: the code of the gate, a shoe size. */
  | 'KV'
  /** Anything worth keeping. */
  | 'NOTE';

/** An item to move. */
export type MoveListItemInput = {
  /** Which item. */
  item: ListItemRefInput;
  /** Its new position, from 0, counted without the item itself; values beyond the end mean the end. */
  to: number;
};

/** What to do when a similar memory exists. */
export type OnMemoryConflict =
  /** Ask with a confirmation. */
  | 'ASK'
  /** Keep both. */
  | 'KEEP_BOTH'
  /** Replace the best match, which becomes part of the history. */
  | 'OVERRIDE';

/** The state of a previewed e-mail. */
export type OutboxState =
  /** Gmail refused it; nothing was sent. */
  | 'FAILED'
  /** It waits to be sent. */
  | 'PREVIEW'
  /**
   * It will be sent at `sendAt`. Where Gmail cannot be asked then, it is tried again for 24 hours; after that it is
   * FAILED.
   */
  | 'SCHEDULED'
  /** It is being sent. */
  | 'SENDING'
  /** It was sent. */
  | 'SENT'
  /**
   * It is not known whether Gmail has sent it. It is not sent again before that is known: call `sendEmail` again, or look
   * into the Sent folder.
   */
  | 'UNKNOWN';

/** The content of a reply. */
export type PreviewReplyInput = {
  /** The recipients of a blind copy (Bcc). */
  bcc?: Array<string> | null | undefined;
  /** The text, at most 200,000 characters. */
  body: string;
  /** The recipients of a copy (Cc), in place of those of the e-mail. */
  cc?: Array<string> | null | undefined;
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The id of the e-mail to answer; short for `target: { id }`. */
  emailId?: string | null | undefined;
  /** The body as HTML; active content and external references are removed. */
  html?: string | null | undefined;
  /** Append the e-mail's text as a quotation. */
  quote?: boolean;
  /** Reply to all: the addresses of To and Cc get a copy, except the viewer's own. */
  replyAll?: boolean;
  /** The e-mail to answer. */
  target?: EmailTargetInput | null | undefined;
  /** The recipients, in place of the e-mail's reply addresses. */
  to?: Array<string> | null | undefined;
};

/** The input of `previewWebset`. */
export type PreviewWebsetInput = {
  /** How many items to show, 1–10; with `withItems`. */
  count?: number;
  /** The type of entity; chosen by Exa when left out. */
  entity?: WebsetEntityInput | null | undefined;
  /** What to search for, 1–5,000 characters. */
  query: string;
  /** Whether to show items that it would find. */
  withItems?: boolean;
};

/** A remote system that can be linked. */
export type Provider =
  /** Exa: websets. It is linked by a key (`connectExa`), not in a browser. */
  | 'EXA'
  /** Google: calendars and mail. */
  | 'GOOGLE';

/**
 * A recurrence. Defaults: DAILY and WEEKLY take `time` 08:00, WEEKLY today's weekday, MONTHLY 09:00 on day 1, NUDGE 10
 * minutes. A field that the type does not use is refused.
 */
export type RecurrenceInput = {
  /** The day of the month, 1–31; for MONTHLY. */
  dayOfMonth?: number | null | undefined;
  /** The weekdays; for WEEKLY. */
  days?: Array<Weekday> | null | undefined;
  /** The time between two nudges, at least one minute; for NUDGE. */
  interval?: string | null | undefined;
  /** The wall-clock time, `HH:mm`; not for NUDGE. */
  time?: string | null | undefined;
  /** The IANA time zone of `time` and the days; the viewer's when left out. */
  timeZone?: string | null | undefined;
  /** Which kind of repetition. */
  type: RecurrenceType;
  /** The last moment at which an occurrence may lie (inclusive). */
  until?: string | null | undefined;
};

/** How a task repeats. */
export type RecurrenceType =
  /** Every day at `time`. */
  | 'DAILY'
  /** On `dayOfMonth` at `time`; in a shorter month, on its last day. */
  | 'MONTHLY'
  /** Every `interval` until it is completed; at most 15 times. */
  | 'NUDGE'
  /** On `days` at `time`. */
  | 'WEEKLY';

/** A browser's subscription, as `PushSubscription.toJSON()` has it. */
export type RegisterPushInput = {
  /** `keys.auth`: its secret. */
  auth: string;
  /** `endpoint`. */
  endpoint: string;
  /** What to call it, at most 200 bytes. */
  label?: string | null | undefined;
  /** `keys.p256dh`: the browser's public key. */
  p256dh: string;
};

/** How an event reminds. */
export type ReminderMethod =
  /** An e-mail to the viewer. */
  | 'EMAIL'
  /** A popup. */
  | 'POPUP';

/** Which subscription to end. */
export type RemovePushInput = {
  /** The subscription. */
  id: string;
};

/** The response of an attendee (RFC 5545, PARTSTAT). */
export type ResponseStatus =
  /** Accepted. */
  | 'ACCEPTED'
  /** Declined. */
  | 'DECLINED'
  /** No response yet. */
  | 'NEEDS_ACTION'
  /** Tentative. */
  | 'TENTATIVE';

/** Which version of which memory to bring back. */
export type RestoreMemoryInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The memory's id; short for `target: { id }`. */
  id?: string | null | undefined;
  /** Only when the memory still has this version: CONFLICT otherwise. */
  ifVersion?: string | null | undefined;
  /** The memory. */
  target?: MemoryTargetInput | null | undefined;
  /** The version's number, one of `history`. */
  version: string;
};

/** Which token to end. */
export type RevokeTokenInput = {
  /** The token's `key`. */
  key: string;
};

/**
 * What a token allows. READ, WRITE and SEND are bundles of the others. A field that needs a scope which the token does not
 * have is FORBIDDEN, and the error names the scope. A mutation shows what it wrote without the scope to read it.
 */
export type Scope =
  /** Reading linked accounts, API tokens and the audit log. */
  | 'ACCOUNT_READ'
  /** Changing settings, linked accounts and API tokens. */
  | 'ACCOUNT_WRITE'
  /** Telling guests of events by e-mail, beside CALENDAR_WRITE. */
  | 'CALENDAR_INVITE'
  /** Reading calendars and events. */
  | 'CALENDAR_READ'
  /** Writing calendars and events. */
  | 'CALENDAR_WRITE'
  /** Reading the knowledge graph. */
  | 'KNOWLEDGE_READ'
  /** Writing the knowledge graph. */
  | 'KNOWLEDGE_WRITE'
  /** Reading e-mails. */
  | 'MAIL_READ'
  /** Sending e-mails, beside MAIL_WRITE. */
  | 'MAIL_SEND'
  /** Writing previews, marking and labelling e-mails. Sending needs MAIL_SEND beside. */
  | 'MAIL_WRITE'
  /** Reading memories. */
  | 'MEMORIES_READ'
  /** Writing memories. */
  | 'MEMORIES_WRITE'
  /** Everything that ends with _READ; also the change log, the list of actions, and what joins all domains. */
  | 'READ'
  /** MAIL_SEND and CALENDAR_INVITE. */
  | 'SEND'
  /** Reading tasks and lists. */
  | 'TASKS_READ'
  /** Writing tasks and lists. */
  | 'TASKS_WRITE'
  /** Reading websets, and searching the web. */
  | 'WEBSETS_READ'
  /** Writing websets. */
  | 'WEBSETS_WRITE'
  /** Everything that ends with _WRITE; also sentences to the agent, tools of MCP, and undoing. */
  | 'WRITE';

/** Search methods. */
export type SearchLeg =
  /** By words: it has at least one of the query's, or words that mean nearly the same as them. */
  | 'KEYWORD'
  /** By meaning: the cosine similarity of its vector reaches `minSimilarity`. */
  | 'VECTOR';

/** Which preview to send. */
export type SendEmailInput = {
  /** The preview's hash, which shows that the caller has seen this message. */
  hash: string;
  /** The preview's id. */
  previewId: string;
  /**
   * When to send it: later than now, at most 366 days ahead. Without an offset it is in the viewer's time zone. It is sent
   * within a few seconds of it.
   */
  sendAt?: string | null | undefined;
  /**
   * Seconds for which it is kept back before it is sent, 0–300, so that `unscheduleEmail` can stop it. 0 sends it within
   * this call. Not together with `sendAt`.
   */
  undoSendFor?: number;
};

/**
 * Whom Google notifies of the change by e-mail. All values but NONE need a token with the scope SEND: FORBIDDEN otherwise,
 * and nothing is changed.
 */
export type SendUpdates =
  /** All guests. */
  | 'ALL'
  /** Guests outside of the organizer's domain. */
  | 'EXTERNAL_ONLY'
  /** Nobody. Guests who use other calendars than Google's are not informed. */
  | 'NONE';

/** A memory to store. */
export type StoreMemoryInput = {
  /**
   * The answer to the confirmation that this mutation gave before: the id of the memory to replace, or of `new` to keep
   * both.
   */
  confirm?: ConfirmInput | null | undefined;
  /** What to remember, 1–20,000 characters. */
  content: string;
  /** When it expires, which must be in the future; never when left out. */
  expiresAt?: string | null | undefined;
  /**
   * The metadata: a JSON object of at most 16 KiB, nested at most 8 deep. A note's `source` is a text and its `entities` a
   * list of texts; a contact's `name`, `phone`, `email` and `description` are texts; a key-value's `subject` is a text.
   * Everything else is free.
   */
  metadata?: unknown;
  /** What to do when a similar memory exists. */
  onConflict?: OnMemoryConflict;
  /** A one-line summary, at most 500 characters. */
  summary?: string | null | undefined;
  /** Tags, at most 50 of at most 64 characters; stored in lower case, without niqqud and accents. */
  tags?: Array<string> | null | undefined;
  /** The type. */
  type?: MemoryType;
};

/** A text that names a subtask of an open task, by the rules of `TaskMatchInput`. */
export type SubtaskMatchInput = {
  /** Only among the subtasks of this task, which may be completed; of all open tasks when left out. */
  taskId?: string | null | undefined;
  /** The text, or words of it. */
  text: string;
};

/** Which subtask: by its id or by its text. */
export type SubtaskTargetInput =
  {   /** The step's id. */
  id: string; match?: never; }
  |  { id?: never;   /** By its text. */
  match: SubtaskMatchInput; };

/** Which tasks; all parts must match, and all are checked by the database. */
export type TaskFilter = {
  /** The category, compared without case; the empty text means: has none. */
  category?: string | null | undefined;
  /** Open ones (false, the default), completed ones (true), or both (null). */
  completed?: boolean | null | undefined;
  /** Due at this moment or later. */
  dueAfter?: string | null | undefined;
  /** Due before this moment. */
  dueBefore?: string | null | undefined;
  /**
   * A group of the board, to page through it: `tasks(filter: { group: OVERDUE }, first: 25, after: …)`. Not together with
   * `type` or `window`, which a group says already.
   */
  group?: TaskGroup | null | undefined;
  /** Found anywhere in text or category, without regard to case, niqqud and final letters. */
  search?: string | null | undefined;
  /** A kind of tasks. */
  type?: TaskType | null | undefined;
  /** A window of due dates. */
  window?: TaskWindow | null | undefined;
};

/** The exclusive groups of a `TaskBoard`, named as its fields are. */
export type TaskGroup =
  /** Neither repeating nor dated. */
  | 'NO_DUE_DATE'
  /** Due before now, and not repeating. */
  | 'OVERDUE'
  /** Repeating. */
  | 'RECURRING'
  /** Due later today, and not repeating. */
  | 'TODAY'
  /** Due tomorrow or later, and not repeating. */
  | 'UPCOMING';

/**
 * Names a task by its text. An equal text (without case, niqqud and final letters) is meant. Otherwise every word that
 * says something must be found in the task's text, as the same word or a form of it (plural, Hebrew prefix, common
 * abbreviation), and in no other task's: "passport" names "Renew passport", "renew password" does not. Words like "the",
 * "task" and "my" may be missing. Typing mistakes, beginnings of words and synonyms are never acted on, and neither are
 * equal texts with different due dates: the mutation then asks, about the tasks that share a word with the text, at most
 * five. A text that shares a word only with categories is asked about by them. NOT_FOUND otherwise. The newest 50,000
 * open tasks are considered.
 */
export type TaskMatchInput = {
  /** The text, or words of it. */
  text: string;
};

/** What tasks can be ordered by. */
export type TaskOrderField =
  /** When it was added. */
  | 'CREATED_AT'
  /** When it is due; a task without a due date counts as due after all others. */
  | 'DUE_DATE'
  /**
   * The order made by hand (`UpdateTaskInput.position`), of all tasks together: each filter and each group has its
   * part of it. A task that was never moved is where its creation puts it.
   */
  | 'POSITION'
  /** The text, without regard to case and niqqud. */
  | 'TEXT'
  /** When it was last changed. */
  | 'UPDATED_AT';

/** What to change of a task. Absent: stays as it is. Null: cleared. */
export type TaskPatch = {
  /** The label. */
  category?: string | null | undefined;
  /**
   * True completes it as `completeTask` does. False takes the last completion back: a task that repeats on days returns to
   * the occurrence that was completed, which leaves its `completions`, as long as the next one is not due; any other task
   * is open again.
   */
  completed?: boolean | null | undefined;
  /** The due date; also a time in words, as in `CreateTaskInput`. */
  dueDate?: string | null | undefined;
  /** How it repeats. Setting one clears a plain reminder; null stops repeating. */
  recurrence?: RecurrenceInput | null | undefined;
  /** How long before the due date to remind. */
  reminder?: string | null | undefined;
  /** What is to be done; cannot be cleared. */
  text?: string | null | undefined;
};

/** A place in the order made by hand: exactly one of the two. The task named may be open or completed. */
export type TaskPositionInput =
  {   /** Directly after this task. */
  after: string; before?: never; }
  |  { after?: never;   /** Directly before this task. */
  before: string; };

/** Which task: exactly one of the two. */
export type TaskTargetInput =
  {   /** The task's id. */
  id: string; match?: never; }
  |  { id?: never;   /** By its text, among open tasks. */
  match: TaskMatchInput; };

/** Kinds of tasks. */
export type TaskType =
  /** It repeats as a nudge. */
  | 'NUDGE'
  /** It repeats (nudges included). */
  | 'RECURRING'
  /** A due date and no repetition. */
  | 'REMINDER'
  /** Neither a due date nor a repetition. */
  | 'UNPLANNED';

/** Windows of due dates, half-open, in the viewer's time zone. A task without a due date is in none but NONE. */
export type TaskWindow =
  /** From now to the end of the sixth day after today. */
  | 'NEXT_7_DAYS'
  /** No due date at all. */
  | 'NONE'
  /** Due before now. */
  | 'OVERDUE'
  /** The calendar week that today lies in, from the viewer's `weekStart`. */
  | 'THIS_WEEK'
  /** Today's calendar day, what is already overdue today included. */
  | 'TODAY'
  /** Tomorrow's calendar day. */
  | 'TOMORROW'
  /** Due now or later. */
  | 'UPCOMING';

/** Which subscription to test. */
export type TestPushInput = {
  /** The subscription. */
  id: string;
};

/** Which action to undo. */
export type UndoActionInput = {
  /** The answer to the question that the mutation asked. */
  confirm?: ConfirmInput | null | undefined;
  /** The action's id. */
  id: string;
};

/** A change to one event. */
export type UpdateEventInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The event's id; alternatively, `target`. */
  id?: string | null | undefined;
  /** Only if the event still has this `version`; else CONFLICT. */
  ifVersion?: string | null | undefined;
  /** Which occurrences of a series to apply it to; asked when left out. */
  scope?: EventScope | null | undefined;
  /** Whom Google notifies by e-mail. */
  sendUpdates?: SendUpdates | null | undefined;
  /** What to change. */
  set: EventPatch;
  /** The event. */
  target?: EventTargetInput | null | undefined;
};

/** Which list, and what to do with its items; at most 200 steps in all. Give `id` or `target`. */
export type UpdateListItemsInput = {
  /** Items to add. */
  add?: Array<AddListItemInput> | null | undefined;
  /** Items to tick. */
  check?: Array<ListItemRefInput> | null | undefined;
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The list's id; short for `target: { id }`. */
  id?: string | null | undefined;
  /** Items to move. */
  move?: Array<MoveListItemInput> | null | undefined;
  /** Items to remove. */
  remove?: Array<ListItemRefInput> | null | undefined;
  /** The list. */
  target?: ListTargetInput | null | undefined;
  /** Items to untick. */
  uncheck?: Array<ListItemRefInput> | null | undefined;
};

/** Which memory to change, and how. */
export type UpdateMemoryInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The memory's id; short for `target: { id }`. */
  id?: string | null | undefined;
  /** Only when the memory still has this version: CONFLICT otherwise. */
  ifVersion?: string | null | undefined;
  /** What to change. */
  set: MemoryPatch;
  /** The memory. */
  target?: MemoryTargetInput | null | undefined;
};

/** Settings to change; null and absent both mean: leave as it is, but for `defaultCalendar`. */
export type UpdateSettingsInput = {
  /**
   * The calendar that new events go to, by its id (`calendar_…`): one of the viewer's own or of a linked account. Null:
   * none in particular.
   */
  defaultCalendar?: string | null | undefined;
  /** `en` or `he`. */
  locale?: string | null | undefined;
  /** An IANA time zone name. */
  timeZone?: string | null | undefined;
  /** The first day of the week. */
  weekStart?: Weekday | null | undefined;
};

/** Which step to change, and how. Absent and null: stays as it is. */
export type UpdateSubtaskInput = {
  /** Whether it is done. */
  completed?: boolean | null | undefined;
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The step's id; short for `target: { id }`. */
  id?: string | null | undefined;
  /** The step. */
  target?: SubtaskTargetInput | null | undefined;
  /** What the step is, 1–2,000 characters. */
  text?: string | null | undefined;
};

/** Which task to change, and how: `set`, `position` or both. Give `id` or `target`. */
export type UpdateTaskInput = {
  /** The answer to an earlier confirmation of this mutation. */
  confirm?: ConfirmInput | null | undefined;
  /** The task's id; short for `target: { id }`. */
  id?: string | null | undefined;
  /** Only if the task still has this `version`; else CONFLICT, and `task` is the task as it is. */
  ifVersion?: string | null | undefined;
  /** Where to move it in the order by POSITION. NOT_FOUND when the viewer has no task with the id that is given. */
  position?: TaskPositionInput | null | undefined;
  /** What to change; may be left out with `position`. */
  set?: TaskPatch | null | undefined;
  /** The task. */
  target?: TaskTargetInput | null | undefined;
};

/** The input of `updateWebsetMonitor`. */
export type UpdateWebsetMonitorInput = {
  /** `append` or `override`; with `search`. */
  behavior?: string | null | undefined;
  /** When, as in `createWebsetMonitor`. */
  cron?: string | null | undefined;
  /** A monitor's id. */
  id: string;
  /** Metadata to store with it: an object of strings of at most 1,000 characters each; null clears it. */
  metadata?: unknown;
  /** The search. */
  search?: WebsetSearchInput | null | undefined;
  /** `enabled` or `disabled`. */
  status?: string | null | undefined;
  /** The IANA time zone of `cron`; only together with it. */
  timeZone?: string | null | undefined;
};

/** The enrichments: what to find for each item. */
export type WebsetEnrichmentInput = {
  /** What to find, in words, 1–5,000 characters. */
  description: string;
  /** `text`, `date`, `number`, `options`, `email`, `phone` or `url`; chosen by Exa when left out. */
  format?: string | null | undefined;
  /** Metadata to store with it: an object of strings of at most 1,000 characters each. */
  metadata?: unknown;
  /** The options, 1–150 strings; required by the format `options`. */
  options?: Array<string> | null | undefined;
};

/** A type of entity. `description` is for `custom` only. */
export type WebsetEntityInput = {
  /** What it is, in words, 2–200 characters; only of the type `custom`, which needs it. */
  description?: string | null | undefined;
  /** `company`, `person`, `article`, `research_paper` or `custom`. */
  type: string;
};

/**
 * A text that names a webset: its title, its `externalId` or the query of a search of it, or words that are all found in
 * only one of them, by the rule of `TaskMatchInput`. What is only like it is asked about; what shares no word with it is
 * NOT_FOUND.
 */
export type WebsetMatchInput = {
  /** The text, or words of it, 1–2,000 characters. */
  text: string;
};

/** A restriction of a search. */
export type WebsetScopeInput = {
  /** How many to find for each item, 1–10; with `relationship`. */
  limit?: number | null | undefined;
  /** How results relate to its items, in words, such as `investors of`; the items themselves when left out. */
  relationship?: string | null | undefined;
  /** The import or webset. */
  source: WebsetSourceInput;
};

/** A search. */
export type WebsetSearchInput = {
  /** How many items to find, at least 1. */
  count?: number;
  /** The criteria, 1–5 strings of at most 1,000 characters; chosen by Exa when left out. */
  criteria?: Array<string> | null | undefined;
  /** The type of entity; chosen by Exa when left out. */
  entity?: WebsetEntityInput | null | undefined;
  /** Imports and other websets whose items are excluded. */
  exclude?: Array<WebsetSourceInput> | null | undefined;
  /** What to search for, in words, 1–5,000 characters. */
  query: string;
  /** Whether Exa should estimate how many there are in all. */
  recall?: boolean;
  /** Restricts the search to items of imports and other websets, or to what is related to them. */
  scope?: Array<WebsetScopeInput> | null | undefined;
};

/** An import or a webset, by exactly one of the two. */
export type WebsetSourceInput =
  {   /** An import's id. */
  importId: string; websetId?: never; }
  |  { importId?: never;   /** A webset's id. */
  websetId: string; };

/** Which webset: by its id or by a text. */
export type WebsetTargetInput =
  {   /** The webset's id. */
  id: string; match?: never; }
  |  { id?: never;   /** By what it is called. */
  match: WebsetMatchInput; };

/** A day of the week. */
export type Weekday =
  /** The fifth day by ISO 8601. */
  | 'FRIDAY'
  /** The first day of the week by ISO 8601. */
  | 'MONDAY'
  /** The sixth day by ISO 8601. */
  | 'SATURDAY'
  /** The first day of the week in Israel and the United States. */
  | 'SUNDAY'
  /** The fourth day by ISO 8601. */
  | 'THURSDAY'
  /** The second day by ISO 8601. */
  | 'TUESDAY'
  /** The third day by ISO 8601. */
  | 'WEDNESDAY';

export type ActionsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ActionsQuery = { actions: { nodes: Array<{ kind: string, at: string, via: ActionSource, token: string | null, client: string | null, undone: boolean, undoUntil: string | null, id: string, summary: string | null, undoable: boolean }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type TaskRowFragment = { id: string, text: string, category: string | null, dueDate: string | null, dueDateFormatted: string | null, nextReminderAt: string | null, completed: boolean, recurrence: { type: RecurrenceType, time: string | null, days: Array<Weekday> | null, dayOfMonth: number | null, interval: string | null, until: string | null } | null, itemContext: { isOverdue: boolean, isToday: boolean } };

export type EventBlockFragment = { id: string, summary: string | null, whenFormatted: string | null, location: string | null, allDay: boolean, response: ResponseStatus | null, meetingUrl: string | null, version: string, start: { dateTime: string | null, date: string | null } | null, end: { dateTime: string | null, date: string | null } | null, itemContext: { isRecurring: boolean } };

export type MailRowFragment = { id: string, threadId: string | null, subject: string, snippet: string, dateFormatted: string, unread: boolean, from: { name: string | null, email: string } | null };

export type AskFragment = { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> };

export type DoneFragment = { id: string, summary: string | null, undoable: boolean };

export type RefusalFragment = { code: ErrorCode, message: string, field: Array<string> | null };

export type ShellQueryVariables = Exact<{ [key: string]: never; }>;


export type ShellQuery = { changes: { latestCursor: string } | null, viewer: { id: string, email: string | null, now: string, scopes: Array<string>, settings: { timeZone: string, locale: string, weekStart: Weekday }, connections: Array<{ id: string, provider: Provider, account: string | null, status: string, standIn: boolean, connectUrl: string | null }> } };

export type LatestQueryVariables = Exact<{ [key: string]: never; }>;


export type LatestQuery = { changes: { latestCursor: string } | null };

export type ChangedSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ChangedSubscription = { changed: { cursor: string, type: string, operation: ChangeOperation, node:
      | { id: string, text: string }
      | Record<PropertyKey, never>
     | null } };

export type UndoMutationVariables = Exact<{
  input: UndoActionInput;
}>;


export type UndoMutation = { undoAction: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type BoardQueryVariables = Exact<{ [key: string]: never; }>;


export type BoardQuery = { tasks: { categorized: { counts: { overdue: number, today: number, upcoming: number, recurring: number, noDueDate: number } } } | null, categories: Array<{ name: string, open: number }> | null, without: { totalCount: number } | null };

export type BoardPageQueryVariables = Exact<{
  filter: TaskFilter;
  order: TaskOrderField;
  first: number;
  after?: string | null | undefined;
}>;


export type BoardPageQuery = { tasks: { nodes: Array<{ id: string, text: string, category: string | null, dueDate: string | null, dueDateFormatted: string | null, nextReminderAt: string | null, completed: boolean, recurrence: { type: RecurrenceType, time: string | null, days: Array<Weekday> | null, dayOfMonth: number | null, interval: string | null, until: string | null } | null, itemContext: { isOverdue: boolean, isToday: boolean } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type DayQueryVariables = Exact<{
  from: string;
  to: string;
  overdue: boolean;
}>;


export type DayQuery = { agenda: { counts: { events: number | null, tasks: number | null, emails: number | null }, notes: Array<{ kind: AgendaKind | null, code: ErrorCode, message: string, account: string | null, connectUrl: string | null }>, pageInfo: { hasNextPage: boolean }, entries: Array<{ cursor: string, kind: AgendaKind, title: string, atFormatted: string, isAllDay: boolean, isOverdue: boolean, at: { dateTime: string | null, date: string | null }, end: { dateTime: string | null, date: string | null } | null, node:
        | { __typename: 'Email', id: string, threadId: string | null, subject: string, snippet: string, dateFormatted: string, unread: boolean, from: { name: string | null, email: string } | null }
        | { __typename: 'Event', id: string, summary: string | null, whenFormatted: string | null, location: string | null, allDay: boolean, response: ResponseStatus | null, meetingUrl: string | null, version: string, start: { dateTime: string | null, date: string | null } | null, end: { dateTime: string | null, date: string | null } | null, itemContext: { isRecurring: boolean } }
        | { __typename: 'Task', id: string, text: string, category: string | null, dueDate: string | null, dueDateFormatted: string | null, nextReminderAt: string | null, completed: boolean, recurrence: { type: RecurrenceType, time: string | null, days: Array<Weekday> | null, dayOfMonth: number | null, interval: string | null, until: string | null } | null, itemContext: { isOverdue: boolean, isToday: boolean } }
       }> } };

export type FreeQueryVariables = Exact<{
  from: string;
  to: string;
}>;


export type FreeQuery = { freeBusy: { free: Array<{ start: string, end: string }> } | null };

export type EntitiesQueryVariables = Exact<{
  q?: string | null | undefined;
}>;


export type EntitiesQuery = { knowledge: { nodes: { totalCount: number | null, nodes: Array<{ id: string, name: string, type: string, summary: string | null }> } | null } };

export type WalkQueryVariables = Exact<{
  id: string;
  asOf?: string | null | undefined;
}>;


export type WalkQuery = { knowledge: { entity: { id: string, name: string, type: string, summary: string | null, neighbours: { truncated: boolean, neighbours: Array<{ distance: number, entity: { id: string, name: string, type: string }, via: { id: string, relation: string, fact: string, source: { id: string }, target: { id: string } } }> } | null, facts: Array<{ id: string, fact: string, validAt: string | null, invalidAt: string | null }> } | null } };

export type FactTimesQueryVariables = Exact<{ [key: string]: never; }>;


export type FactTimesQuery = { knowledge: { facts: { nodes: Array<{ validAt: string | null, invalidAt: string | null }> } | null } };

export type InboxQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type InboxQuery = { emails: { nodes: Array<{ id: string, threadId: string | null, subject: string, snippet: string, dateFormatted: string, unread: boolean, from: { name: string | null, email: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ListsQueryVariables = Exact<{ [key: string]: never; }>;


export type ListsQuery = { lists: { nodes: Array<{ id: string, name: string, isChecklist: boolean, items: Array<{ id: string, text: string, checked: boolean }> }>, pageInfo: { hasNextPage: boolean } } | null };

export type AddListMutationVariables = Exact<{
  input: CreateListInput;
}>;


export type AddListMutation = { createList: { action: { id: string, summary: string | null, undoable: boolean } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type SetItemsMutationVariables = Exact<{
  input: UpdateListItemsInput;
}>;


export type SetItemsMutation = { updateListItems: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type DeleteListMutationVariables = Exact<{
  input: DeleteListInput;
}>;


export type DeleteListMutation = { deleteList: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type MemoriesQueryVariables = Exact<{ [key: string]: never; }>;


export type MemoriesQuery = { memories: { nodes: Array<{ id: string, type: string, content: string, tags: Array<string> }> } | null };

export type RecallQueryVariables = Exact<{
  q: string;
}>;


export type RecallQuery = { searchMemories: { edges: Array<{ score: number, similarity: number | null, keywordScore: number, matchedBy: Array<SearchLeg>, node: { id: string, type: string, content: string, tags: Array<string> } }> } | null };

export type MemoryPaneQueryVariables = Exact<{
  id: string;
}>;


export type MemoryPaneQuery = { memory: { id: string, type: string, content: string, summary: string | null, tags: Array<string>, version: string, updatedAt: string, history: Array<{ version: string, content: string, writtenAt: string, reason: MemoryReplacement }> } | null };

export type SetMemoryMutationVariables = Exact<{
  input: UpdateMemoryInput;
}>;


export type SetMemoryMutation = { updateMemory: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type RestoreMemoryMutationVariables = Exact<{
  input: RestoreMemoryInput;
}>;


export type RestoreMemoryMutation = { restoreMemory: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type ForgetMemoriesMutationVariables = Exact<{
  input: DeleteMemoriesInput;
}>;


export type ForgetMemoriesMutation = { deleteMemories: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type PushKeyQueryVariables = Exact<{ [key: string]: never; }>;


export type PushKeyQuery = { pushKey: string | null, pushSubscriptions: Array<{ id: string, host: string, label: string | null, problem: string | null, disabledAt: string | null }> | null };

export type RegisterPushMutationVariables = Exact<{
  input: RegisterPushInput;
}>;


export type RegisterPushMutation = { registerPush: { subscription: { id: string } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type RemovePushMutationVariables = Exact<{
  input: RemovePushInput;
}>;


export type RemovePushMutation = { removePush: { deletedId: string | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type TestPushMutationVariables = Exact<{
  input: TestPushInput;
}>;


export type TestPushMutation = { testPush: { delivered: boolean, problem: string | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type TaskPaneQueryVariables = Exact<{
  id: string;
}>;


export type TaskPaneQuery = { task: { id: string, text: string, category: string | null, dueDate: string | null, dueDateFormatted: string | null, nextReminderAt: string | null, completed: boolean, subtasks: Array<{ id: string, text: string, completed: boolean }>, completions: Array<{ completedAt: string, occurrence: string | null }>, recurrence: { type: RecurrenceType, time: string | null, days: Array<Weekday> | null, dayOfMonth: number | null, interval: string | null, until: string | null } | null, itemContext: { isOverdue: boolean, isToday: boolean } } | null };

export type EventPaneQueryVariables = Exact<{
  id: string;
}>;


export type EventPaneQuery = { event: { description: string | null, recurrenceFormatted: string | null, id: string, summary: string | null, whenFormatted: string | null, location: string | null, allDay: boolean, response: ResponseStatus | null, meetingUrl: string | null, version: string, attendees: Array<{ email: string, displayName: string | null, responseStatus: ResponseStatus, self: boolean }>, start: { dateTime: string | null, date: string | null } | null, end: { dateTime: string | null, date: string | null } | null, itemContext: { isRecurring: boolean } } | null };

export type MailPaneQueryVariables = Exact<{
  id: string;
}>;


export type MailPaneQuery = { emailThread: { id: string, subject: string, emails: Array<{ id: string, threadId: string | null, subject: string, snippet: string, dateFormatted: string, unread: boolean, to: Array<{ name: string | null, email: string }>, body: { text: string, truncated: boolean }, from: { name: string | null, email: string } | null }> } | null };

export type SetTaskMutationVariables = Exact<{
  input: UpdateTaskInput;
}>;


export type SetTaskMutation = { updateTask: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type DeleteTaskMutationVariables = Exact<{
  input: DeleteTaskInput;
}>;


export type DeleteTaskMutation = { deleteTask: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type AddTaskMutationVariables = Exact<{
  input: CreateTaskInput;
}>;


export type AddTaskMutation = { createTask: { task: { id: string } | null, existingTask: { id: string, text: string } | null, action: { id: string, summary: string | null, undoable: boolean } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type AddStepMutationVariables = Exact<{
  input: AddSubtaskInput;
}>;


export type AddStepMutation = { addSubtask: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type SetStepMutationVariables = Exact<{
  input: UpdateSubtaskInput;
}>;


export type SetStepMutation = { updateSubtask: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type SetEventMutationVariables = Exact<{
  input: UpdateEventInput;
}>;


export type SetEventMutation = { updateEvent: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type DeleteEventMutationVariables = Exact<{
  input: DeleteEventInput;
}>;


export type DeleteEventMutation = { deleteEvent: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type MarkMailMutationVariables = Exact<{
  input: MarkEmailsInput;
}>;


export type MarkMailMutation = { markEmails: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type PreviewAnswerMutationVariables = Exact<{
  input: PreviewReplyInput;
}>;


export type PreviewAnswerMutation = { previewReply: { preview: { id: string, hash: string, subject: string, body: string, from: { name: string | null, email: string } | null, to: Array<{ name: string | null, email: string }>, cc: Array<{ name: string | null, email: string }> } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type SendMailMutationVariables = Exact<{
  input: SendEmailInput;
}>;


export type SendMailMutation = { sendEmail: { state: OutboxState | null, action: { id: string, summary: string | null, undoable: boolean } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type SayMutationVariables = Exact<{
  input: AgentChatInput;
}>;


export type SayMutation = { agentChat: { tool: AgentTool, summary: string, answer: string | null, success: boolean, plan: { ambiguous: Array<{ text: string, reading: string, others: Array<string> }> } | null, events: Array<{ id: string, summary: string | null, whenFormatted: string | null, location: string | null, allDay: boolean, response: ResponseStatus | null, meetingUrl: string | null, version: string, start: { dateTime: string | null, date: string | null } | null, end: { dateTime: string | null, date: string | null } | null, itemContext: { isRecurring: boolean } }>, nodes: Array<
      | { __typename: 'Action' }
      | { __typename: 'Calendar' }
      | { __typename: 'Change' }
      | { __typename: 'Email', id: string, threadId: string | null, subject: string, snippet: string, dateFormatted: string, unread: boolean, from: { name: string | null, email: string } | null }
      | { __typename: 'EmailArrival' }
      | { __typename: 'EmailPreview' }
      | { __typename: 'EmailThread' }
      | { __typename: 'Entity' }
      | { __typename: 'Episode' }
      | { __typename: 'Event' }
      | { __typename: 'EventChange' }
      | { __typename: 'Fact' }
      | { __typename: 'KnowledgeChange' }
      | { __typename: 'LinkedAccount' }
      | { __typename: 'List', name: string, items: Array<{ text: string, checked: boolean }> }
      | { __typename: 'ListChange' }
      | { __typename: 'ListItem' }
      | { __typename: 'Memory', content: string }
      | { __typename: 'MemoryChange' }
      | { __typename: 'PushSubscription' }
      | { __typename: 'Research' }
      | { __typename: 'Subtask' }
      | { __typename: 'Task', id: string, text: string, category: string | null, dueDate: string | null, dueDateFormatted: string | null, nextReminderAt: string | null, completed: boolean, recurrence: { type: RecurrenceType, time: string | null, days: Array<Weekday> | null, dayOfMonth: number | null, interval: string | null, until: string | null } | null, itemContext: { isOverdue: boolean, isToday: boolean } }
      | { __typename: 'TaskChange' }
      | { __typename: 'Viewer' }
      | { __typename: 'Webhook' }
      | { __typename: 'Webset' }
      | { __typename: 'WebsetChange' }
      | { __typename: 'WebsetEnrichment' }
      | { __typename: 'WebsetEvent' }
      | { __typename: 'WebsetImport' }
      | { __typename: 'WebsetItem' }
      | { __typename: 'WebsetMonitor' }
      | { __typename: 'WebsetMonitorRun' }
      | { __typename: 'WebsetSearch' }
      | { __typename: 'WebsetWebhook' }
    >, action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type RememberMutationVariables = Exact<{
  input: StoreMemoryInput;
}>;


export type RememberMutation = { storeMemory: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type FindTasksQueryVariables = Exact<{
  q: string;
}>;


export type FindTasksQuery = { tasks: { nodes: Array<{ id: string, text: string, category: string | null, dueDate: string | null, dueDateFormatted: string | null, nextReminderAt: string | null, completed: boolean, recurrence: { type: RecurrenceType, time: string | null, days: Array<Weekday> | null, dayOfMonth: number | null, interval: string | null, until: string | null } | null, itemContext: { isOverdue: boolean, isToday: boolean } }>, pageInfo: { hasNextPage: boolean } } | null };

export type FindEventsQueryVariables = Exact<{
  q: string;
  from: string;
  to: string;
}>;


export type FindEventsQuery = { events: { nodes: Array<{ id: string, summary: string | null, whenFormatted: string | null, location: string | null, allDay: boolean, response: ResponseStatus | null, meetingUrl: string | null, version: string, start: { dateTime: string | null, date: string | null } | null, end: { dateTime: string | null, date: string | null } | null, itemContext: { isRecurring: boolean } }>, pageInfo: { hasNextPage: boolean } } | null };

export type FindMailQueryVariables = Exact<{
  q: string;
}>;


export type FindMailQuery = { emails: { nodes: Array<{ id: string, threadId: string | null, subject: string, snippet: string, dateFormatted: string, unread: boolean, from: { name: string | null, email: string } | null }>, pageInfo: { hasNextPage: boolean } } | null };

export type FindListsQueryVariables = Exact<{
  q: string;
}>;


export type FindListsQuery = { lists: { nodes: Array<{ id: string, name: string }>, pageInfo: { hasNextPage: boolean } } | null };

export type SetSettingsMutationVariables = Exact<{
  input: UpdateSettingsInput;
}>;


export type SetSettingsMutation = { updateSettings: { action: { id: string, summary: string | null, undoable: boolean } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type TokensQueryVariables = Exact<{ [key: string]: never; }>;


export type TokensQuery = { tokens: Array<{ key: string, name: string, scopes: Array<Scope>, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, valid: boolean }> };

export type MakeTokenMutationVariables = Exact<{
  input: CreateTokenInput;
}>;


export type MakeTokenMutation = { createToken: { secret: string | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type EndTokenMutationVariables = Exact<{
  input: RevokeTokenInput;
}>;


export type EndTokenMutation = { revokeToken: { userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type WebsetsQueryVariables = Exact<{ [key: string]: never; }>;


export type WebsetsQuery = { websets: { nodes: Array<{ id: string, title: string | null, status: string, entityType: string | null, searches: Array<{ id: string, query: string, progress: { found: number, completion: number } | null }>, imports: Array<{ id: string, title: string | null }> }>, pageInfo: { hasNextPage: boolean } } | null };

export type WebsetQueryVariables = Exact<{
  id: string;
}>;


export type WebsetQuery = { webset: { id: string, title: string | null, status: string, entityType: string | null, searches: Array<{ id: string, query: string, status: string, progress: { found: number, analyzed: number, completion: number } | null, criteria: Array<{ description: string, successRate: number }> }>, enrichments: Array<{ id: string, description: string | null }>, imports: Array<{ id: string, title: string | null }> } | null };

export type WebsetItemsQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
  all: boolean;
}>;


export type WebsetItemsQuery = { websetItems: { excluded: number, nodes: Array<{ id: string, name: string, url: string, description: string | null, evaluations: Array<{ criterion: string, satisfied: string }> | null, enrichments: Array<{ description: string | null, result: Array<string> | null }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type WebsetItemRawQueryVariables = Exact<{
  id: string;
}>;


export type WebsetItemRawQuery = { websetItem: { id: string, name: string, url: string, raw: string | null } | null };

export type WebsetUntilSubscriptionVariables = Exact<{
  id: string;
}>;


export type WebsetUntilSubscription = { websetUntil: { done: boolean, webset: { id: string, status: string } } };

export type PreviewWebsetMutationVariables = Exact<{
  input: PreviewWebsetInput;
}>;


export type PreviewWebsetMutation = { previewWebset: { preview: { entityType: string | null, criteria: Array<string> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type AddWebsetMutationVariables = Exact<{
  input: CreateWebsetInput;
}>;


export type AddWebsetMutation = { createWebset: { webset: { id: string } | null, action: { id: string, summary: string | null, undoable: boolean } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type CancelWebsetMutationVariables = Exact<{
  input: CancelWebsetInput;
}>;


export type CancelWebsetMutation = { cancelWebset: { action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type DeleteWebsetMutationVariables = Exact<{
  input: DeleteWebsetInput;
}>;


export type DeleteWebsetMutation = { deleteWebset: { deleted: number, action: { id: string, summary: string | null, undoable: boolean } | null, confirmation: { kind: ConfirmationKind, question: string, token: string, expiresAt: string, allowMultiple: boolean, candidates: Array<{ key: string, label: string }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type WebsetMonitorsQueryVariables = Exact<{
  id: string;
}>;


export type WebsetMonitorsQuery = { websetMonitors: { nodes: Array<{ id: string, status: string, nextRunAt: string | null, lastRun: { id: string, status: string, completedAt: string | null, failedReason: string | null } | null }>, pageInfo: { hasNextPage: boolean } } | null };

export type AddMonitorMutationVariables = Exact<{
  input: CreateWebsetMonitorInput;
}>;


export type AddMonitorMutation = { createWebsetMonitor: { monitor: { id: string } | null, action: { id: string, summary: string | null, undoable: boolean } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type SetMonitorMutationVariables = Exact<{
  input: UpdateWebsetMonitorInput;
}>;


export type SetMonitorMutation = { updateWebsetMonitor: { action: { id: string, summary: string | null, undoable: boolean } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type DeleteMonitorMutationVariables = Exact<{
  input: DeleteWebsetMonitorInput;
}>;


export type DeleteMonitorMutation = { deleteWebsetMonitor: { deleted: number, action: { id: string, summary: string | null, undoable: boolean } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type WebsetImportsQueryVariables = Exact<{ [key: string]: never; }>;


export type WebsetImportsQuery = { websetImports: { nodes: Array<{ id: string, title: string | null, status: string, count: number | null, failedReason: string | null }>, pageInfo: { hasNextPage: boolean } } | null };

export type ImportUntilSubscriptionVariables = Exact<{
  id: string;
}>;


export type ImportUntilSubscription = { websetImportUntilCompleted: { done: boolean } };

export type AddImportMutationVariables = Exact<{
  input: CreateWebsetImportInput;
}>;


export type AddImportMutation = { createWebsetImport: { import: { id: string } | null, action: { id: string, summary: string | null, undoable: boolean } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type DeleteImportMutationVariables = Exact<{
  input: DeleteWebsetImportInput;
}>;


export type DeleteImportMutation = { deleteWebsetImport: { deleted: number, action: { id: string, summary: string | null, undoable: boolean } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type WeekQueryVariables = Exact<{
  from: string;
  to: string;
}>;


export type WeekQuery = { events: { nodes: Array<{ id: string, summary: string | null, whenFormatted: string | null, location: string | null, allDay: boolean, response: ResponseStatus | null, meetingUrl: string | null, version: string, start: { dateTime: string | null, date: string | null } | null, end: { dateTime: string | null, date: string | null } | null, itemContext: { isRecurring: boolean } }>, pageInfo: { hasNextPage: boolean } } | null };

export type BusyQueryVariables = Exact<{
  from: string;
  to: string;
  calendars: Array<string> | string;
}>;


export type BusyQuery = { freeBusy: { calendars: Array<{ calendarId: string, error: ErrorCode | null, busy: Array<{ start: string, end: string }> }> } | null };

export type CalendarsQueryVariables = Exact<{ [key: string]: never; }>;


export type CalendarsQuery = { calendars: Array<{ id: string, sourceId: string | null, summary: string | null, primary: boolean }> | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const TaskRowFragmentDoc = new TypedDocumentString(`
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}
    `, {"fragmentName":"TaskRow"}) as unknown as TypedDocumentString<TaskRowFragment, unknown>;
export const EventBlockFragmentDoc = new TypedDocumentString(`
    fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}
    `, {"fragmentName":"EventBlock"}) as unknown as TypedDocumentString<EventBlockFragment, unknown>;
export const MailRowFragmentDoc = new TypedDocumentString(`
    fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}
    `, {"fragmentName":"MailRow"}) as unknown as TypedDocumentString<MailRowFragment, unknown>;
export const AskFragmentDoc = new TypedDocumentString(`
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
    `, {"fragmentName":"Ask"}) as unknown as TypedDocumentString<AskFragment, unknown>;
export const DoneFragmentDoc = new TypedDocumentString(`
    fragment Done on Action {
  id
  summary
  undoable
}
    `, {"fragmentName":"Done"}) as unknown as TypedDocumentString<DoneFragment, unknown>;
export const RefusalFragmentDoc = new TypedDocumentString(`
    fragment Refusal on UserError {
  code
  message
  field
}
    `, {"fragmentName":"Refusal"}) as unknown as TypedDocumentString<RefusalFragment, unknown>;
export const ActionsDocument = new TypedDocumentString(`
    query Actions($after: String) {
  actions(first: 30, after: $after) {
    nodes {
      ...Done
      kind
      at
      via
      token
      client
      undone
      undoUntil
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}`, {"hash":"sha256:3bddc9de5be498fc926cd539d0e74ad7d88fd721af833ddf12dc3c14d90123b3"}) as unknown as TypedDocumentString<ActionsQuery, ActionsQueryVariables>;
export const ShellDocument = new TypedDocumentString(`
    query Shell {
  changes(first: 1) {
    latestCursor
  }
  viewer {
    id
    email
    now
    scopes
    settings {
      timeZone
      locale
      weekStart
    }
    connections {
      id
      provider
      account
      status
      standIn
      connectUrl
    }
  }
}
    `, {"hash":"sha256:e0346df469b153fe28e811a7b9b9bf05a9131821dfaee78ea51c8971e62b1ae2"}) as unknown as TypedDocumentString<ShellQuery, ShellQueryVariables>;
export const LatestDocument = new TypedDocumentString(`
    query Latest {
  changes(first: 1) {
    latestCursor
  }
}
    `, {"hash":"sha256:4ae8f9df5de39229b07e8fd275334e5f3147f6d8e01407a287c4855d35dc53b4"}) as unknown as TypedDocumentString<LatestQuery, LatestQueryVariables>;
export const ChangedDocument = new TypedDocumentString(`
    subscription Changed($after: String) {
  changed(after: $after) {
    cursor
    type
    operation
    node {
      ... on Task {
        id
        text
      }
    }
  }
}
    `, {"hash":"sha256:d983496799c2e117d2047e341f23f8345fe30468629aa57b99cfd7509c4225f6"}) as unknown as TypedDocumentString<ChangedSubscription, ChangedSubscriptionVariables>;
export const UndoDocument = new TypedDocumentString(`
    mutation Undo($input: UndoActionInput!) {
  undoAction(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:b3e04725e093d1a2db17ce16528a0afe858b27252041f8a8e4ce2bb003d464c0"}) as unknown as TypedDocumentString<UndoMutation, UndoMutationVariables>;
export const BoardDocument = new TypedDocumentString(`
    query Board {
  tasks(first: 1) {
    categorized {
      counts {
        overdue
        today
        upcoming
        recurring
        noDueDate
      }
    }
  }
  categories(first: 100) {
    name
    open
  }
  without: tasks(filter: {category: ""}, first: 1) {
    totalCount
  }
}
    `, {"hash":"sha256:710ab3e4c3a078a59991c84ef9c1958cfdce608ef94e1b89c1430e949b4b13cf"}) as unknown as TypedDocumentString<BoardQuery, BoardQueryVariables>;
export const BoardPageDocument = new TypedDocumentString(`
    query BoardPage($filter: TaskFilter!, $order: TaskOrderField!, $first: Int!, $after: String) {
  tasks(filter: $filter, orderBy: {field: $order}, first: $first, after: $after) {
    nodes {
      ...TaskRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}`, {"hash":"sha256:50390e316f565f6748ed8c5eafa799ecfb8e86ecfef552360e40809d6fc057fb"}) as unknown as TypedDocumentString<BoardPageQuery, BoardPageQueryVariables>;
export const DayDocument = new TypedDocumentString(`
    query Day($from: DateTime!, $to: DateTime!, $overdue: Boolean!) {
  agenda(from: $from, to: $to, first: 100, includeOverdue: $overdue) {
    counts {
      events
      tasks
      emails
    }
    notes {
      kind
      code
      message
      account
      connectUrl
    }
    pageInfo {
      hasNextPage
    }
    entries {
      cursor
      kind
      at {
        dateTime
        date
      }
      end {
        dateTime
        date
      }
      title
      atFormatted
      isAllDay
      isOverdue
      node {
        __typename
        ... on Task {
          ...TaskRow
        }
        ... on Event {
          ...EventBlock
        }
        ... on Email {
          ...MailRow
        }
      }
    }
  }
}
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}
fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}
fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}`, {"hash":"sha256:98177a0ce50cf09bf58fedc51a0ada06e8b65fa0e1cae9626cf37ea2d5e38d66"}) as unknown as TypedDocumentString<DayQuery, DayQueryVariables>;
export const FreeDocument = new TypedDocumentString(`
    query Free($from: DateTime!, $to: DateTime!) {
  freeBusy(timeMin: $from, timeMax: $to) {
    free(atLeast: "PT30M", dayStart: "09:00", dayEnd: "18:00", first: 20) {
      start
      end
    }
  }
}
    `, {"hash":"sha256:0e8b7c6e059926dd230a208eeb7f21ec3b41351198a216f38eb5cd78b1fc7fd2"}) as unknown as TypedDocumentString<FreeQuery, FreeQueryVariables>;
export const EntitiesDocument = new TypedDocumentString(`
    query Entities($q: String) {
  knowledge {
    nodes(query: $q, first: 50) {
      totalCount
      nodes {
        id
        name
        type
        summary
      }
    }
  }
}
    `, {"hash":"sha256:a45e69e15f09559709a6bc236b70f52745a55eceadcd27d9ef879de00ddc6f4c"}) as unknown as TypedDocumentString<EntitiesQuery, EntitiesQueryVariables>;
export const WalkDocument = new TypedDocumentString(`
    query Walk($id: ID!, $asOf: DateTime) {
  knowledge {
    entity(id: $id) {
      id
      name
      type
      summary
      neighbours(depth: 2, asOf: $asOf, first: 30) {
        truncated
        neighbours {
          distance
          entity {
            id
            name
            type
          }
          via {
            id
            relation
            fact
            source {
              id
            }
            target {
              id
            }
          }
        }
      }
      facts(asOf: $asOf, first: 25) {
        id
        fact
        validAt
        invalidAt
      }
    }
  }
}
    `, {"hash":"sha256:17ef77efb0abcb9bd211ba8b21e31028d375f449e02dc9a0ac5bd3eff057bd5a"}) as unknown as TypedDocumentString<WalkQuery, WalkQueryVariables>;
export const FactTimesDocument = new TypedDocumentString(`
    query FactTimes {
  knowledge {
    facts(first: 100, includeInvalidated: true) {
      nodes {
        validAt
        invalidAt
      }
    }
  }
}
    `, {"hash":"sha256:a9c432dde3b67e69fd0e617cd3379f44ac073bf4f4703c927bda186f8fb8b739"}) as unknown as TypedDocumentString<FactTimesQuery, FactTimesQueryVariables>;
export const InboxDocument = new TypedDocumentString(`
    query Inbox($after: String) {
  emails(filter: {label: "INBOX"}, first: 40, after: $after) {
    nodes {
      ...MailRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}`, {"hash":"sha256:f213729927eaae0ef088d3b731c2267797146175592277687e47fa787af6a416"}) as unknown as TypedDocumentString<InboxQuery, InboxQueryVariables>;
export const ListsDocument = new TypedDocumentString(`
    query Lists {
  lists(first: 50) {
    nodes {
      id
      name
      isChecklist
      items {
        id
        text
        checked
      }
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `, {"hash":"sha256:998b977940d03ded26086d47a267793ace551d20ff1021cc74851d6fa975907e"}) as unknown as TypedDocumentString<ListsQuery, ListsQueryVariables>;
export const AddListDocument = new TypedDocumentString(`
    mutation AddList($input: CreateListInput!) {
  createList(input: $input) {
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:bcd8fe947b58f3dfa708ae8ad7e8d24fa047ef9ca933fb79e5c123804f08e534"}) as unknown as TypedDocumentString<AddListMutation, AddListMutationVariables>;
export const SetItemsDocument = new TypedDocumentString(`
    mutation SetItems($input: UpdateListItemsInput!) {
  updateListItems(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:9820b6374f9abb7c86f8db18bbdd98d7ef1f0fface5507e3c551a19e68afd3d3"}) as unknown as TypedDocumentString<SetItemsMutation, SetItemsMutationVariables>;
export const DeleteListDocument = new TypedDocumentString(`
    mutation DeleteList($input: DeleteListInput!) {
  deleteList(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:be9cd42f966ea693100f65064281028245e22a7ab1d235041202693437cff45a"}) as unknown as TypedDocumentString<DeleteListMutation, DeleteListMutationVariables>;
export const MemoriesDocument = new TypedDocumentString(`
    query Memories {
  memories(first: 20) {
    nodes {
      id
      type
      content
      tags
    }
  }
}
    `, {"hash":"sha256:6254aaa98c5c1af2378db4095caa957f7f3c8761c998d28670a9a07b77ea4702"}) as unknown as TypedDocumentString<MemoriesQuery, MemoriesQueryVariables>;
export const RecallDocument = new TypedDocumentString(`
    query Recall($q: String!) {
  searchMemories(query: $q, first: 20) {
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
      }
    }
  }
}
    `, {"hash":"sha256:8e1ebfaeaca539795a5b2b3795b5c37c8b33e75b9b37761aa4e820e37dc38723"}) as unknown as TypedDocumentString<RecallQuery, RecallQueryVariables>;
export const MemoryPaneDocument = new TypedDocumentString(`
    query MemoryPane($id: ID!) {
  memory(id: $id) {
    id
    type
    content
    summary
    tags
    version
    updatedAt
    history(first: 20) {
      version
      content
      writtenAt
      reason
    }
  }
}
    `, {"hash":"sha256:0871789ef520905cb7f44d9ae2fffd648f22f7524cf7e90e843dc6851a526810"}) as unknown as TypedDocumentString<MemoryPaneQuery, MemoryPaneQueryVariables>;
export const SetMemoryDocument = new TypedDocumentString(`
    mutation SetMemory($input: UpdateMemoryInput!) {
  updateMemory(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:6a740ffc63e5ca07238055bca4fb3684486d049d48ef4249e37dd1f0b9e2aadc"}) as unknown as TypedDocumentString<SetMemoryMutation, SetMemoryMutationVariables>;
export const RestoreMemoryDocument = new TypedDocumentString(`
    mutation RestoreMemory($input: RestoreMemoryInput!) {
  restoreMemory(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:1fa17c6d588a813bc6b6004af5f6e3433fa16e43d8e27a67fe3d34424cf63b2f"}) as unknown as TypedDocumentString<RestoreMemoryMutation, RestoreMemoryMutationVariables>;
export const ForgetMemoriesDocument = new TypedDocumentString(`
    mutation ForgetMemories($input: DeleteMemoriesInput!) {
  deleteMemories(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:f0fa474df2ad9a57fea09823d43442f1ac2960ec602cc7ebfcf0dd5d92c592e4"}) as unknown as TypedDocumentString<ForgetMemoriesMutation, ForgetMemoriesMutationVariables>;
export const PushKeyDocument = new TypedDocumentString(`
    query PushKey {
  pushKey
  pushSubscriptions {
    id
    host
    label
    problem
    disabledAt
  }
}
    `, {"hash":"sha256:ecd3353ae01c9c023320926e547d4a6cf63e1ae397c6e1bb7b3124683de57e8a"}) as unknown as TypedDocumentString<PushKeyQuery, PushKeyQueryVariables>;
export const RegisterPushDocument = new TypedDocumentString(`
    mutation RegisterPush($input: RegisterPushInput!) {
  registerPush(input: $input) {
    subscription {
      id
    }
    userErrors {
      code
      message
      field
    }
  }
}
    `, {"hash":"sha256:cbd1c081460236045cba8f15cb29ecb088008cb278f9bd9af91068051c7296ea"}) as unknown as TypedDocumentString<RegisterPushMutation, RegisterPushMutationVariables>;
export const RemovePushDocument = new TypedDocumentString(`
    mutation RemovePush($input: RemovePushInput!) {
  removePush(input: $input) {
    deletedId
    userErrors {
      code
      message
      field
    }
  }
}
    `, {"hash":"sha256:a18fbf9898e0e98900624b499e9c36bf5435e1d0e385628fca127011754592bf"}) as unknown as TypedDocumentString<RemovePushMutation, RemovePushMutationVariables>;
export const TestPushDocument = new TypedDocumentString(`
    mutation TestPush($input: TestPushInput!) {
  testPush(input: $input) {
    delivered
    problem
    userErrors {
      code
      message
      field
    }
  }
}
    `, {"hash":"sha256:e131b5b3522642e37705c8049a2adf58dbf5d458418ecfa76b162d867c2f29de"}) as unknown as TypedDocumentString<TestPushMutation, TestPushMutationVariables>;
export const TaskPaneDocument = new TypedDocumentString(`
    query TaskPane($id: ID!) {
  task(id: $id) {
    ...TaskRow
    subtasks {
      id
      text
      completed
    }
    completions(first: 5) {
      completedAt
      occurrence
    }
  }
}
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}`, {"hash":"sha256:129f560062d214f5830e5946b66a1661a7afe3a04b1841298e4c2cb83bf0a1fb"}) as unknown as TypedDocumentString<TaskPaneQuery, TaskPaneQueryVariables>;
export const EventPaneDocument = new TypedDocumentString(`
    query EventPane($id: ID!) {
  event(id: $id) {
    ...EventBlock
    description
    recurrenceFormatted
    attendees {
      email
      displayName
      responseStatus
      self
    }
  }
}
    fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}`, {"hash":"sha256:2dbf07704416c49116e05018c851cba34012bc4d3bb3b1cbb28ff569110d593a"}) as unknown as TypedDocumentString<EventPaneQuery, EventPaneQueryVariables>;
export const MailPaneDocument = new TypedDocumentString(`
    query MailPane($id: ID!) {
  emailThread(id: $id) {
    id
    subject
    emails {
      ...MailRow
      to {
        name
        email
      }
      body(format: CLEAN) {
        text
        truncated
      }
    }
  }
}
    fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}`, {"hash":"sha256:fc07581b732902c27d79bc9f690a190d5a7df4171bdbd68445e08a3a03a1f0f0"}) as unknown as TypedDocumentString<MailPaneQuery, MailPaneQueryVariables>;
export const SetTaskDocument = new TypedDocumentString(`
    mutation SetTask($input: UpdateTaskInput!) {
  updateTask(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:3a75bedec4b4517bccc39b4f55b9ac3818d8e8ffbeffbb76ae4a26b7a6395aa7"}) as unknown as TypedDocumentString<SetTaskMutation, SetTaskMutationVariables>;
export const DeleteTaskDocument = new TypedDocumentString(`
    mutation DeleteTask($input: DeleteTaskInput!) {
  deleteTask(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:3061b0e3501be888ea7cafdb88546536a4536e2cfd9dc620a8059dead973f255"}) as unknown as TypedDocumentString<DeleteTaskMutation, DeleteTaskMutationVariables>;
export const AddTaskDocument = new TypedDocumentString(`
    mutation AddTask($input: CreateTaskInput!) {
  createTask(input: $input) {
    task {
      id
    }
    existingTask {
      id
      text
    }
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:419de7ae77619e0a5eda4e928055293b78f4e65ce6b490056f7752c50265faf6"}) as unknown as TypedDocumentString<AddTaskMutation, AddTaskMutationVariables>;
export const AddStepDocument = new TypedDocumentString(`
    mutation AddStep($input: AddSubtaskInput!) {
  addSubtask(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:d2e5fb00e275d1e680bc621555f0d538c8d831835e266aba58cb6b2bd0547477"}) as unknown as TypedDocumentString<AddStepMutation, AddStepMutationVariables>;
export const SetStepDocument = new TypedDocumentString(`
    mutation SetStep($input: UpdateSubtaskInput!) {
  updateSubtask(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:4e8696452df1b4cf8ab68c4e8a03914abaeef391adc82588739406be3ea7eb6a"}) as unknown as TypedDocumentString<SetStepMutation, SetStepMutationVariables>;
export const SetEventDocument = new TypedDocumentString(`
    mutation SetEvent($input: UpdateEventInput!) {
  updateEvent(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:39e8a232a0bdfeafd9b7043945a15757eb99bc44e3082446d791b54dba2f898b"}) as unknown as TypedDocumentString<SetEventMutation, SetEventMutationVariables>;
export const DeleteEventDocument = new TypedDocumentString(`
    mutation DeleteEvent($input: DeleteEventInput!) {
  deleteEvent(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:ff3dcb8c6b37baa78070ce5a2117d1f744706857108dcffc14577c3e06885aef"}) as unknown as TypedDocumentString<DeleteEventMutation, DeleteEventMutationVariables>;
export const MarkMailDocument = new TypedDocumentString(`
    mutation MarkMail($input: MarkEmailsInput!) {
  markEmails(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:ef021ea346b4fe740731a44a985a281ed33fda6d5eab6a2301664b73d08d09b3"}) as unknown as TypedDocumentString<MarkMailMutation, MarkMailMutationVariables>;
export const PreviewAnswerDocument = new TypedDocumentString(`
    mutation PreviewAnswer($input: PreviewReplyInput!) {
  previewReply(input: $input) {
    preview {
      id
      hash
      from {
        name
        email
      }
      to {
        name
        email
      }
      cc {
        name
        email
      }
      subject
      body
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:d229f1aaf3998d24f0a6487e506a51843049836308af4b50b7e2ef2a02b01c82"}) as unknown as TypedDocumentString<PreviewAnswerMutation, PreviewAnswerMutationVariables>;
export const SendMailDocument = new TypedDocumentString(`
    mutation SendMail($input: SendEmailInput!) {
  sendEmail(input: $input) {
    state
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:3152182068243a999355a4cf2a4a103aefca7c1fec3ed4ba107614db884d9b3a"}) as unknown as TypedDocumentString<SendMailMutation, SendMailMutationVariables>;
export const SayDocument = new TypedDocumentString(`
    mutation Say($input: AgentChatInput!) {
  agentChat(input: $input) {
    tool
    summary
    answer
    success
    plan {
      ambiguous {
        text
        reading
        others
      }
    }
    events {
      ...EventBlock
    }
    nodes {
      __typename
      ... on Task {
        ...TaskRow
      }
      ... on List {
        name
        items {
          text
          checked
        }
      }
      ... on Memory {
        content
      }
      ... on Email {
        ...MailRow
      }
    }
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}
fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}
fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}
fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:0738cc46b927b5b2f5cc015ba2267be65e30039068ae830540710609f64cb5c0"}) as unknown as TypedDocumentString<SayMutation, SayMutationVariables>;
export const RememberDocument = new TypedDocumentString(`
    mutation Remember($input: StoreMemoryInput!) {
  storeMemory(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:53333977a6a5b53aa9f1aad2403d0d6e2405ea3541e8251be350365aebd96ec5"}) as unknown as TypedDocumentString<RememberMutation, RememberMutationVariables>;
export const FindTasksDocument = new TypedDocumentString(`
    query FindTasks($q: String!) {
  tasks(filter: {search: $q, completed: null}, first: 10) {
    nodes {
      ...TaskRow
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}`, {"hash":"sha256:8497f7cb51b30a11f2f9a285e5615e27f7757dda8e1c7bc8ed73db2b657a1a19"}) as unknown as TypedDocumentString<FindTasksQuery, FindTasksQueryVariables>;
export const FindEventsDocument = new TypedDocumentString(`
    query FindEvents($q: String!, $from: DateTime!, $to: DateTime!) {
  events(filter: {search: $q, timeMin: $from, timeMax: $to}, first: 10) {
    nodes {
      ...EventBlock
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}`, {"hash":"sha256:c7504f6309f67e9b527b8e37ef2c0712d0b10487e58a6121fdd6a604c36937ab"}) as unknown as TypedDocumentString<FindEventsQuery, FindEventsQueryVariables>;
export const FindMailDocument = new TypedDocumentString(`
    query FindMail($q: String!) {
  emails(filter: {query: $q}, first: 10) {
    nodes {
      ...MailRow
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}`, {"hash":"sha256:b12a40aebea0f2ea2986fe9f305c7c12689c82143ab487d211ba3170292e3a9d"}) as unknown as TypedDocumentString<FindMailQuery, FindMailQueryVariables>;
export const FindListsDocument = new TypedDocumentString(`
    query FindLists($q: String!) {
  lists(filter: {search: $q}, first: 10) {
    nodes {
      id
      name
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `, {"hash":"sha256:751a595b4b936786eac5dcee247d1e4a183bcdc17fedca8dd2f2d7434cd3be26"}) as unknown as TypedDocumentString<FindListsQuery, FindListsQueryVariables>;
export const SetSettingsDocument = new TypedDocumentString(`
    mutation SetSettings($input: UpdateSettingsInput!) {
  updateSettings(input: $input) {
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:d217f9d67f80d34edea32d4be7aec3bc79e0b8275ad4c704f66075888df57995"}) as unknown as TypedDocumentString<SetSettingsMutation, SetSettingsMutationVariables>;
export const TokensDocument = new TypedDocumentString(`
    query Tokens {
  tokens {
    key
    name
    scopes
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    valid
  }
}
    `, {"hash":"sha256:fcafbbd0a40fe6ba807665425555affa144d46e8ba97dcf81abfc6b3e12718ba"}) as unknown as TypedDocumentString<TokensQuery, TokensQueryVariables>;
export const MakeTokenDocument = new TypedDocumentString(`
    mutation MakeToken($input: CreateTokenInput!) {
  createToken(input: $input) {
    secret
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:51a055ddb0d58f2c4b51fedd64b8303ab735c1af9922545e91b66ec9b072337a"}) as unknown as TypedDocumentString<MakeTokenMutation, MakeTokenMutationVariables>;
export const EndTokenDocument = new TypedDocumentString(`
    mutation EndToken($input: RevokeTokenInput!) {
  revokeToken(input: $input) {
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:582db7f527a860badbc8f430b58e64eb224d8e726d60e498b292cb9f46ec7450"}) as unknown as TypedDocumentString<EndTokenMutation, EndTokenMutationVariables>;
export const WebsetsDocument = new TypedDocumentString(`
    query Websets {
  websets(first: 25) {
    nodes {
      id
      title
      status
      entityType
      searches {
        id
        query
        progress {
          found
          completion
        }
      }
      imports {
        id
        title
      }
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `, {"hash":"sha256:3ec626c20f8dca1cb2e20e1ea07edf39b9bcbb948e69cd3c833a51c7a8e10722"}) as unknown as TypedDocumentString<WebsetsQuery, WebsetsQueryVariables>;
export const WebsetDocument = new TypedDocumentString(`
    query Webset($id: ID!) {
  webset(id: $id) {
    id
    title
    status
    entityType
    searches {
      id
      query
      status
      progress {
        found
        analyzed
        completion
      }
      criteria {
        description
        successRate
      }
    }
    enrichments {
      id
      description
    }
    imports {
      id
      title
    }
  }
}
    `, {"hash":"sha256:35f1db9e5b67e32039cb76c42fc22cac4a9944e42124e7e1a7024914b4ccc1dd"}) as unknown as TypedDocumentString<WebsetQuery, WebsetQueryVariables>;
export const WebsetItemsDocument = new TypedDocumentString(`
    query WebsetItems($id: ID!, $after: String, $all: Boolean!) {
  websetItems(websetId: $id, first: 50, after: $after, includeUnsatisfied: $all) {
    excluded
    nodes {
      id
      name
      url
      description
      evaluations {
        criterion
        satisfied
      }
      enrichments {
        description
        result
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `, {"hash":"sha256:f98eeb132f4e1adcaec8b84df84fca4a66b7dcd3d2f1c22f0f0d5c386c951403"}) as unknown as TypedDocumentString<WebsetItemsQuery, WebsetItemsQueryVariables>;
export const WebsetItemRawDocument = new TypedDocumentString(`
    query WebsetItemRaw($id: ID!) {
  websetItem(id: $id) {
    id
    name
    url
    raw
  }
}
    `, {"hash":"sha256:725f49a01714dc4a29a6cd0e214fad89a28da80ad63202141fd9af1359ee1ac3"}) as unknown as TypedDocumentString<WebsetItemRawQuery, WebsetItemRawQueryVariables>;
export const WebsetUntilDocument = new TypedDocumentString(`
    subscription WebsetUntil($id: ID!) {
  websetUntil(id: $id, timeoutSeconds: 600) {
    done
    webset {
      id
      status
    }
  }
}
    `, {"hash":"sha256:95249e79b2ee8319d409334bcfc84ea44385da14ed2c26c01bd0f3fcd2af37e1"}) as unknown as TypedDocumentString<WebsetUntilSubscription, WebsetUntilSubscriptionVariables>;
export const PreviewWebsetDocument = new TypedDocumentString(`
    mutation PreviewWebset($input: PreviewWebsetInput!) {
  previewWebset(input: $input) {
    preview {
      entityType
      criteria
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:3021f4aa49f3da148dc15ca6be04f404ecc4a21b6414234c1c3de7d8d2c704a9"}) as unknown as TypedDocumentString<PreviewWebsetMutation, PreviewWebsetMutationVariables>;
export const AddWebsetDocument = new TypedDocumentString(`
    mutation AddWebset($input: CreateWebsetInput!) {
  createWebset(input: $input) {
    webset {
      id
    }
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:a7a5b527d1ec3293fc6ee299c6295ec8173fa1a262ded6690b3e1b35e1eaab91"}) as unknown as TypedDocumentString<AddWebsetMutation, AddWebsetMutationVariables>;
export const CancelWebsetDocument = new TypedDocumentString(`
    mutation CancelWebset($input: CancelWebsetInput!) {
  cancelWebset(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:49ad0d27fcefc553e1386d49ecf46cd392e57a2cc8b9a148e1a1efda8a63312b"}) as unknown as TypedDocumentString<CancelWebsetMutation, CancelWebsetMutationVariables>;
export const DeleteWebsetDocument = new TypedDocumentString(`
    mutation DeleteWebset($input: DeleteWebsetInput!) {
  deleteWebset(input: $input) {
    deleted
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:7d0bb870f008e959e13406759b0dafa9d81175a58f7babcf2bbeb5cba50ea9ae"}) as unknown as TypedDocumentString<DeleteWebsetMutation, DeleteWebsetMutationVariables>;
export const WebsetMonitorsDocument = new TypedDocumentString(`
    query WebsetMonitors($id: ID!) {
  websetMonitors(websetId: $id, first: 25) {
    nodes {
      id
      status
      nextRunAt
      lastRun {
        id
        status
        completedAt
        failedReason
      }
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `, {"hash":"sha256:a4300262671db53d8412c7226cb30a52f74c49d9fadd7818b7984c3de1c4a006"}) as unknown as TypedDocumentString<WebsetMonitorsQuery, WebsetMonitorsQueryVariables>;
export const AddMonitorDocument = new TypedDocumentString(`
    mutation AddMonitor($input: CreateWebsetMonitorInput!) {
  createWebsetMonitor(input: $input) {
    monitor {
      id
    }
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:54e8472190d5efec7b528f29cf6896e4455a46cc0726c650ceed8791304f7c65"}) as unknown as TypedDocumentString<AddMonitorMutation, AddMonitorMutationVariables>;
export const SetMonitorDocument = new TypedDocumentString(`
    mutation SetMonitor($input: UpdateWebsetMonitorInput!) {
  updateWebsetMonitor(input: $input) {
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:a0ef4902352de77b3e0767429b6b6bae7180ee97b70304e86a4147d91a7b117b"}) as unknown as TypedDocumentString<SetMonitorMutation, SetMonitorMutationVariables>;
export const DeleteMonitorDocument = new TypedDocumentString(`
    mutation DeleteMonitor($input: DeleteWebsetMonitorInput!) {
  deleteWebsetMonitor(input: $input) {
    deleted
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:50b3fc234fa4e8cdf3a9438f5e641fe0631351145eba46b3bdb22e18d0e29d97"}) as unknown as TypedDocumentString<DeleteMonitorMutation, DeleteMonitorMutationVariables>;
export const WebsetImportsDocument = new TypedDocumentString(`
    query WebsetImports {
  websetImports(first: 25) {
    nodes {
      id
      title
      status
      count
      failedReason
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `, {"hash":"sha256:631f62f0ad3a7918fde85f5618578a4dd2006654b60a856f392d14ed9b0c2633"}) as unknown as TypedDocumentString<WebsetImportsQuery, WebsetImportsQueryVariables>;
export const ImportUntilDocument = new TypedDocumentString(`
    subscription ImportUntil($id: ID!) {
  websetImportUntilCompleted(id: $id, timeoutSeconds: 600) {
    done
  }
}
    `, {"hash":"sha256:2897f0b4f08a6101af275a806217cfc4fab9d19f3275e5f41bac2903a810a603"}) as unknown as TypedDocumentString<ImportUntilSubscription, ImportUntilSubscriptionVariables>;
export const AddImportDocument = new TypedDocumentString(`
    mutation AddImport($input: CreateWebsetImportInput!) {
  createWebsetImport(input: $input) {
    import {
      id
    }
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:9ee20ea458707a20a3667f7102c97cea9adcc623299d58b0c12ac1d7299f8207"}) as unknown as TypedDocumentString<AddImportMutation, AddImportMutationVariables>;
export const DeleteImportDocument = new TypedDocumentString(`
    mutation DeleteImport($input: DeleteWebsetImportInput!) {
  deleteWebsetImport(input: $input) {
    deleted
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:6b1773397f0c8c09378c759ace2a1e390be12d02ec320efc9c78a7f4cc941172"}) as unknown as TypedDocumentString<DeleteImportMutation, DeleteImportMutationVariables>;
export const WeekDocument = new TypedDocumentString(`
    query Week($from: DateTime!, $to: DateTime!) {
  events(filter: {timeMin: $from, timeMax: $to}, first: 100) {
    nodes {
      ...EventBlock
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}`, {"hash":"sha256:e35209d33c86a88e60008005791ae9f9dd0fb672150ef2e489fe31166c251bd7"}) as unknown as TypedDocumentString<WeekQuery, WeekQueryVariables>;
export const BusyDocument = new TypedDocumentString(`
    query Busy($from: DateTime!, $to: DateTime!, $calendars: [ID!]!) {
  freeBusy(timeMin: $from, timeMax: $to, calendarIds: $calendars) {
    calendars {
      calendarId
      error
      busy {
        start
        end
      }
    }
  }
}
    `, {"hash":"sha256:5b50021cab0aa92d50d3f8c16885a7e1c4e5dded62934e7c8f18331b96783854"}) as unknown as TypedDocumentString<BusyQuery, BusyQueryVariables>;
export const CalendarsDocument = new TypedDocumentString(`
    query Calendars {
  calendars {
    id
    sourceId
    summary
    primary
  }
}
    `, {"hash":"sha256:0e310191aa519136c71f337f4b969ce1bc9d53cfd3e3e71dfb2ada595c1b0f3b"}) as unknown as TypedDocumentString<CalendarsQuery, CalendarsQueryVariables>;