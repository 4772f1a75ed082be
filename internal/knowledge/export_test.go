package knowledge

// InSteps has merges and new names take so many facts at once.
func (b *Base) InSteps(facts int) { b.step = facts }
