package users

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"almanac/graph/model"
)

// scopeTable says which scopes fields need, and is the one place that does. A name is a field (Query.tasks) or a type,
// which stands for all its fields; one under several scopes needs them all. What stands nowhere needs no scope of its
// own: it is reached through what does.
//
// Fields that reach into every domain need the whole bundle: the change log, the actions, whose summaries are of
// everything, sentences, and what has changes told elsewhere.
var scopeTable = map[model.Scope]string{
	model.ScopeTasksRead: `Query.tasks Query.task Query.categories Query.lists Query.list Subscription.taskChanged
		Subscription.listChanged Query.agenda Task TaskCategory Subtask List ListItem TaskChange ListChange`,
	model.ScopeTasksWrite: `Mutation.createTask Mutation.createTasks Mutation.updateTask Mutation.updateTasks
		Mutation.completeTask Mutation.deleteTask Mutation.deleteTasks Mutation.addSubtask Mutation.updateSubtask
		Mutation.deleteSubtask Mutation.createList Mutation.updateList Mutation.deleteList Mutation.updateListItems`,
	model.ScopeCalendarRead: `Query.events Query.event Query.eventInstances Query.eventConflicts Query.freeBusy
		Query.calendars Query.exportEvents Query.publishedCalendars Query.calendarFeeds Subscription.eventChanged
		Query.agenda Event Calendar EventChange`,
	model.ScopeCalendarWrite: `Mutation.createCalendar Mutation.updateCalendar Mutation.deleteCalendar
		Mutation.createEvent Mutation.createEvents Mutation.createRecurringEvent Mutation.createRecurringEvents
		Mutation.updateEvent Mutation.updateEventsInWindow Mutation.deleteEvent Mutation.deleteEventsInWindow
		Mutation.deleteEventsBySummary Mutation.truncateRecurringEvent Mutation.importEvents Mutation.subscribeToFeed
		Mutation.publishCalendar Mutation.unpublishCalendar`,
	model.ScopeMailRead: `Query.emails Query.email Query.emailThread Query.emailLabels Query.emailPreviews
		Query.emailPreview Subscription.emailReceived Query.agenda Email EmailThread EmailPreview EmailArrival`,
	model.ScopeMailWrite: `Mutation.previewEmail Mutation.previewReply Mutation.sendEmail Mutation.replyToEmail
		Mutation.unscheduleEmail Mutation.discardPreview Mutation.markEmails Mutation.labelEmails`,
	model.ScopeMemoriesRead: `Query.memories Query.memory Query.searchMemories Query.memoryStatus Query.exportMemories
		Subscription.memoryChanged Memory MemoryVersion MemoryChange`,
	model.ScopeMemoriesWrite: `Mutation.storeMemory Mutation.storeMemories Mutation.updateMemory Mutation.restoreMemory
		Mutation.deleteMemories Mutation.importMemories`,
	model.ScopeKnowledgeRead: `Query.knowledge Subscription.knowledgeChanged Entity Fact Episode KnowledgeChange`,
	model.ScopeKnowledgeWrite: `Mutation.addEpisode Mutation.extractEpisode Mutation.addFacts Mutation.invalidateFacts
		Mutation.updateEntity Mutation.mergeEntities Mutation.deleteEntity Mutation.deleteFact Mutation.deleteEpisode
		Mutation.clearKnowledge`,
	model.ScopeWebsetsRead: `Query.websets Query.webset Query.websetItems Query.allWebsetItems Query.websetItem
		Query.websetSearch Query.websetEnrichment Query.websetMonitors Query.websetMonitor Query.websetMonitorRuns
		Query.websetMonitorRun Query.websetWebhooks Query.websetWebhook Query.websetWebhookAttempts Query.websetImports
		Query.websetImport Query.websetEvents Query.websetEvent Query.researches Query.research Query.webSearch
		Query.webSimilar Query.webContents Query.webAnswer Subscription.websetChanged Subscription.websetUntil
		Subscription.websetImportUntilCompleted Subscription.researchUntilFinished Webset WebsetSearch WebsetEnrichment
		WebsetItem WebsetMonitor WebsetMonitorRun WebsetWebhook WebsetImport WebsetEvent Research WebsetChange`,
	model.ScopeWebsetsWrite: `Mutation.createWebset Mutation.updateWebset Mutation.cancelWebset Mutation.deleteWebset
		Mutation.previewWebset Mutation.createWebsetSearch Mutation.cancelWebsetSearch Mutation.deleteWebsetItem
		Mutation.createWebsetEnrichment Mutation.updateWebsetEnrichment Mutation.cancelWebsetEnrichment
		Mutation.deleteWebsetEnrichment Mutation.createWebsetMonitor Mutation.updateWebsetMonitor
		Mutation.deleteWebsetMonitor Mutation.createWebsetWebhook Mutation.updateWebsetWebhook
		Mutation.deleteWebsetWebhook Mutation.createWebsetImport Mutation.updateWebsetImport
		Mutation.deleteWebsetImport Mutation.createResearch`,
	model.ScopeAccountRead: `Viewer.email Viewer.connections Query.tokens Query.auditLog
		Query.webhooks Query.pushSubscriptions Query.pushKey
		Webhook PushSubscription LinkedAccount APIToken
		AuditEntry`,
	model.ScopeAccountWrite: `Mutation.updateSettings Mutation.disconnect Mutation.connectExa Mutation.createToken
		Mutation.revokeToken
		Mutation.createWebhook Mutation.updateWebhook Mutation.deleteWebhook
		Mutation.testWebhook Mutation.registerPush Mutation.removePush Mutation.testPush`,
	model.ScopeRead: `Query.actions Query.action Query.changes Subscription.changed Action Change
		Mutation.createWebhook Mutation.updateWebhook Mutation.registerPush`,
	model.ScopeWrite: `Mutation.undoAction Mutation.agentChat`,
}

// scopesByName is the table by name.
var scopesByName = sync.OnceValue(func() map[string]model.ScopeSet {
	sets := map[string]model.ScopeSet{}
	for scope, names := range scopeTable {
		for name := range strings.FieldsSeq(names) {
			sets[name] |= model.ScopeSetOf(scope)
		}
	}
	return sets
})

// ScopeOf returns which scopes a field of an object needs.
func ScopeOf(object, field string) model.ScopeSet {
	sets := scopesByName()
	return sets[object] | sets[object+"."+field]
}

// ScopedNames returns the names of the table.
func ScopedNames() []string { return slices.Sorted(maps.Keys(scopesByName())) }
