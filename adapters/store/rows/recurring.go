package rows

// Recurring says which tasks are meant by whether they recur: all, or those of one side.
type Recurring int

// The values of Recurring.
const (
	Either Recurring = iota
	OnlyOnce
	OnlyRecurring
)

// Condition returns the condition on a column of tasks that is null for those that do not recur, to be appended to
// others; empty for all tasks.
func (r Recurring) Condition(column string) string {
	return [...]string{Either: "", OnlyOnce: " AND " + column + " IS NULL",
		OnlyRecurring: " AND " + column + " IS NOT NULL"}[r]
}

// Counted is Condition for task_counts, where those that do not recur have an empty text.
func (r Recurring) Counted() string {
	return [...]string{Either: "", OnlyOnce: " AND recurrence_type = ''",
		OnlyRecurring: " AND recurrence_type <> ''"}[r]
}
