// Tells what graphql-js thinks of requests: reads {"schema": "…", "cases": [{"query": "…", "variables": {…}}, …]} from the
// standard input and writes an array of "syntax", "invalid", "variables" or "ok", one for each case.
import { buildSchema, parse, validate, specifiedRules } from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';

let text = '';
for await (const chunk of process.stdin) text += chunk;
const { schema: source, cases } = JSON.parse(text);
const schema = buildSchema(source);

function verdict({ query, variables }) {
  let document;
  try {
    document = parse(query);
  } catch (error) {
    return `syntax: ${error.message}`;
  }
  const errors = validate(schema, document, specifiedRules);
  if (errors.length > 0) return `invalid: ${errors[0].message}`;
  const operations = document.definitions.filter((d) => d.kind === 'OperationDefinition');
  if (operations.length !== 1) return 'invalid: not one operation';
  const values = getVariableValues(schema, operations[0].variableDefinitions ?? [], variables ?? {});
  return values.errors ? `variables: ${values.errors[0].message}` : 'ok';
}

process.stdout.write(JSON.stringify(cases.map(verdict)));
