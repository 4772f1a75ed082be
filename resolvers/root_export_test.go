package resolvers

// House gives tests what the root stands for, so that they can exchange a part of it before the first request.
func (r *Root) House() *Resolver { return r.house }
