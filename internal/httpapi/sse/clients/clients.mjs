// Runs graphql-sse, an EventSource and Apollo Client's multipart subscriptions as their users do, against the address of
// a server (first argument). Prints a line for each check and "N passed, M failed".
import assert from 'node:assert/strict';
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { createClient } from 'graphql-sse';
import { EventSource } from 'eventsource';

const [url] = process.argv.slice(2);
const checks = [];
const check = (name, run) => checks.push([name, run]);

const all = async (iterable) => {
  const list = [];
  for await (const item of iterable) list.push(item);
  return list;
};
const numbers = (answers) => answers.map((a) => a.data.ticks.number);

// graphql-sse, distinct connections

const sse = createClient({ url, retryAttempts: 0 });

check('graphql-sse: query', async () => {
  assert.deepEqual(await all(sse.iterate({ query: '{ hello(name: "שָׁלוֹם") }' })), [{ data: { hello: 'hello, שָׁלוֹם' } }]);
});
check('graphql-sse: mutation', async () => {
  const [answer] = await all(sse.iterate({ query: 'mutation { increment }' }));
  assert.equal(answer.data.increment, 1);
});
check('graphql-sse: subscription', async () => {
  assert.deepEqual(numbers(await all(sse.iterate({ query: 'subscription { ticks(count: 5) { number } }' }))), [1, 2, 3, 4, 5]);
});
check('graphql-sse: validation error', async () => {
  const [answer] = await all(sse.iterate({ query: '{ nonsense }' }));
  assert.equal(answer.errors[0].extensions.code, 'BAD_USER_INPUT');
  assert.ok(!('data' in answer));
});
check('graphql-sse: subscription that cannot start', async () => {
  const [answer] = await all(sse.iterate({ query: 'subscription { brokenTicks(how: NOT_FOUND) { number } }' }));
  assert.equal(answer.errors[0].extensions.code, 'NOT_FOUND');
});
check('graphql-sse: leaving early', async () => {
  for await (const answer of sse.iterate({ query: 'subscription { ticks { number } }' })) {
    if (answer.data.ticks.number === 3) break;
  }
});
check('graphql-sse: a request that is none', async () => {
  await assert.rejects(all(sse.iterate({ query: '' })), /400/);
});
check('graphql-sse: fifty at once', async () => {
  const runs = Array.from({ length: 50 }, () => all(sse.iterate({ query: 'subscription { ticks(count: 4) { number } }' })));
  for (const answers of await Promise.all(runs)) assert.deepEqual(numbers(answers), [1, 2, 3, 4]);
});

// EventSource

const events = (query) =>
  new Promise((resolve, reject) => {
    const source = new EventSource(`${url}?query=${encodeURIComponent(query)}`);
    const seen = [];
    source.addEventListener('next', (event) => seen.push(JSON.parse(event.data)));
    source.addEventListener('complete', () => {
      source.close();
      resolve(seen);
    });
    source.addEventListener('error', (event) => {
      source.close();
      reject(new Error(`${event.code} ${event.message}`));
    });
  });

check('EventSource: subscription', async () => {
  assert.deepEqual(numbers(await events('subscription { ticks(count: 3) { number } }')), [1, 2, 3]);
});
check('EventSource: validation error', async () => {
  const [answer] = await events('{ nonsense }');
  assert.equal(answer.errors[0].extensions.code, 'BAD_USER_INPUT');
});
check('EventSource: mutation', async () => {
  await assert.rejects(events('mutation { increment }'), /405/);
});

// Apollo Client, multipart subscriptions over HTTP

const apollo = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache(), devtools: { enabled: false } });
const subscribe = (query) =>
  new Promise((resolve, reject) => {
    const seen = [];
    apollo.subscribe({ query: gql(query), errorPolicy: 'all' }).subscribe({
      next: (result) => seen.push(result),
      error: reject,
      complete: () => resolve(seen),
    });
  });

check('Apollo Client: subscription', async () => {
  assert.deepEqual(numbers(await subscribe('subscription { ticks(count: 5) { number word } }')), [1, 2, 3, 4, 5]);
});
check('Apollo Client: error in a field', async () => {
  const [result] = await subscribe('subscription { badTicks(how: BAD_INPUT) { number word } }');
  assert.equal(result.error.errors[0].extensions.code, 'BAD_USER_INPUT');
});
check('Apollo Client: subscription that cannot start', async () => {
  const [result] = await subscribe('subscription { brokenTicks(how: UPSTREAM) { number } }');
  assert.equal(result.error.errors[0].extensions.code, 'UPSTREAM_UNAVAILABLE');
});
check('Apollo Client: leaving early', async () => {
  await new Promise((resolve, reject) => {
    let seen = 0;
    const subscription = apollo.subscribe({ query: gql('subscription { ticks { number } }') }).subscribe({
      next: () => {
        if (++seen === 3) {
          subscription.unsubscribe();
          resolve();
        }
      },
      error: reject,
    });
  });
});

let failed = 0;
for (const [name, run] of checks) {
  try {
    await run();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}: ${error?.stack ?? JSON.stringify(error)}`);
  }
}
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
