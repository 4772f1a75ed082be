package rows

// Recurring says which tasks are meant by whether they recur: all, or those of one side.
type Recurring int

// The values of Recurring.
const (
	Either Recurring = iota
	OnlyOnce
	OnlyRecurring
)

// Condition returns the condition on the rows of tasks, to be appended to others; empty for all tasks.
func (r Recurring) Condition() string {
	return [...]string{Either: "", OnlyOnce: " AND recurrence_type IS NULL",
		OnlyRecurring: " AND recurrence_type IS NOT NULL"}[r]
}

// Counted is Condition for task_counts, where those that do not recur have an empty text.
func (r Recurring) Counted() string {
	return [...]string{Either: "", OnlyOnce: " AND recurrence_type = ''",
		OnlyRecurring: " AND recurrence_type <> ''"}[r]
}
