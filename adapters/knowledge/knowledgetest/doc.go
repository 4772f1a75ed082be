// Package knowledgetest holds every knowledge base to the contract of adapters/knowledge.
//
// It promises that what is the same for all bases is tested by one text, that what a base cannot do is asked of its
// Facts and never skipped by its name, and that it looks at nothing but what a caller of the contract sees.
package knowledgetest
