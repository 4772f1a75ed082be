// Runs every audit of the graphql-http package against the address given as the first argument, prints a line for
// each and a closing line with the counts, and exits with 1 unless all have passed.
import { serverAudits } from 'graphql-http';

const [url] = process.argv.slice(2);
if (!url) {
  console.error('usage: node audit.mjs http://127.0.0.1:8080/graphql');
  process.exit(2);
}

let passed = 0;
let failed = 0;
for (const audit of serverAudits({ url, fetchFn: fetch })) {
  const result = await audit.fn();
  if (result.status === 'ok') {
    passed++;
    console.log(`ok    ${audit.id}  ${audit.name}`);
  } else {
    failed++;
    console.log(`FAIL  ${audit.id}  ${audit.name}\n      ${result.reason}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
