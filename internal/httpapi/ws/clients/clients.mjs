// Runs graphql-ws as its users do, and a bare WebSocket where a well-behaved client cannot go, against the address of
// a server (first argument) and of one that waits only a moment for connection_init (second argument).
// Prints a line for each check and "N passed, M failed".
import assert from 'node:assert/strict';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [url, hasty] = process.argv.slice(2);
const checks = [];
const check = (name, run) => checks.push([name, run]);

const client = (options = {}) =>
  createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: { authorization: 'Bearer good' }, ...options });

const all = async (iterable) => {
  const list = [];
  for await (const item of iterable) list.push(item);
  return list;
};

/** The first answer or error of one operation. */
const fail = (c, query) =>
  new Promise((resolve, reject) =>
    c.subscribe({ query }, { next: (v) => reject(new Error(`got ${JSON.stringify(v)}`)), error: resolve, complete: () => reject(new Error('complete')) }),
  );

const withClient = (options, run) => async () => {
  const c = client(options);
  try {
    await run(c);
  } finally {
    await c.dispose();
  }
};

check('query', withClient({}, async (c) => {
  assert.deepEqual(await all(c.iterate({ query: '{ hello }' })), [{ data: { hello: 'hello, world' } }]);
}));

check('query with variables in Hebrew', withClient({}, async (c) => {
  const [answer] = await all(c.iterate({ query: 'query Q($n: String) { hello(name: $n) }', variables: { n: 'שָׁלוֹם 👩‍👧' } }));
  assert.equal(answer.data.hello, 'hello, שָׁלוֹם 👩‍👧');
}));

check('mutation', withClient({}, async (c) => {
  const [first] = await all(c.iterate({ query: 'mutation { increment }' }));
  const [second] = await all(c.iterate({ query: 'mutation { increment(by: 2) }' }));
  assert.equal(second.data.increment, first.data.increment + 2);
}));

check('subscription', withClient({}, async (c) => {
  const answers = await all(c.iterate({ query: 'subscription { ticks(count: 5) { number word } }' }));
  assert.deepEqual(answers.map((a) => a.data.ticks.number), [1, 2, 3, 4, 5]);
}));

check('the caller is the one of connectionParams', withClient({}, async (c) => {
  assert.deepEqual(await all(c.iterate({ query: '{ whoami }' })), [{ data: { whoami: 'noa' } }]);
}));

check('validation error', withClient({}, async (c) => {
  const errors = await fail(c, '{ nonsense }');
  assert.equal(errors[0].extensions.code, 'BAD_USER_INPUT');
  assert.deepEqual(await all(c.iterate({ query: '{ hello }' })), [{ data: { hello: 'hello, world' } }]);
}));

check('subscription that cannot start', withClient({}, async (c) => {
  const errors = await fail(c, 'subscription { brokenTicks(how: NOT_FOUND) { number } }');
  assert.equal(errors[0].extensions.code, 'NOT_FOUND');
}));

check('error in a field of an answer', withClient({}, async (c) => {
  const [answer] = await all(c.iterate({ query: '{ fail(how: PLAIN) }' }));
  assert.equal(answer.data.fail, null);
  assert.equal(answer.errors[0].extensions.code, 'INTERNAL');
  assert.doesNotMatch(JSON.stringify(answer), /hunter2/);
}));

check('a hundred operations on one socket', withClient({}, async (c) => {
  const runs = Array.from({ length: 100 }, () => all(c.iterate({ query: 'subscription { ticks(count: 10) { number } }' })));
  for (const answers of await Promise.all(runs)) {
    assert.deepEqual(answers.map((a) => a.data.ticks.number), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  }
}));

check('leaving a subscription early, and going on', withClient({}, async (c) => {
  for (let i = 0; i < 20; i++) {
    for await (const answer of c.iterate({ query: 'subscription { ticks { number } }' })) {
      if (answer.data.ticks.number === 3) break;
    }
  }
  assert.deepEqual(await all(c.iterate({ query: '{ hello }' })), [{ data: { hello: 'hello, world' } }]);
}));

check('pings of the client', async () => {
  let pong;
  const answered = new Promise((resolve) => (pong = resolve));
  await withClient({ lazy: false, onNonLazyError: () => {}, keepAlive: 10, on: { pong: (received) => received && pong() } }, () => answered)();
});

check('a lazy client closes normally', async () => {
  let closed;
  const event = new Promise((resolve) => (closed = resolve));
  await withClient({ on: { closed } }, async (c) => {
    await all(c.iterate({ query: '{ hello }' }));
    assert.equal((await event).code, 1000);
  })();
});

check('4403 for a bad token', withClient({ connectionParams: { authorization: 'Bearer bad' } }, async (c) => {
  const event = await fail(c, '{ hello }');
  assert.equal(event.code, 4403);
  assert.equal(event.reason, 'Forbidden');
}));

check('coming back after 4403 with a good token', async () => {
  let tries = 0;
  const connectionParams = () => ({ Authorization: `Bearer ${tries++ ? 'good' : 'bad'}` });
  await withClient({ connectionParams, retryAttempts: 1, retryWait: async () => {} }, async (c) => {
    assert.deepEqual(await all(c.iterate({ query: '{ hello }' })), [{ data: { hello: 'hello, world' } }]);
    assert.equal(tries, 2);
  })();
});

/** Sends the frames and gives how the server closed. */
const closes = (frames, { address = url, protocols = ['graphql-transport-ws'] } = {}) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, protocols);
    socket.on('open', () => frames.forEach((f) => socket.send(typeof f === 'string' ? f : JSON.stringify(f))));
    socket.on('close', (code, reason) => resolve(`${code} ${reason}`));
    socket.on('error', reject);
  });

const init = { type: 'connection_init', payload: { authorization: 'Bearer good' } };
const endless = { id: 'x', type: 'subscribe', payload: { query: 'subscription { ticks { number } }' } };

check('4400', async () => assert.match(await closes([init, 'nonsense']), /^4400 Invalid message/));
check('4401', async () => assert.equal(await closes([endless]), '4401 Unauthorized'));
check('4408', async () => assert.equal(await closes([], { address: hasty }), '4408 Connection initialisation timeout'));
check('4409', async () => assert.equal(await closes([init, endless, endless]), '4409 Subscriber for x already exists'));
check('4429', async () => assert.equal(await closes([init, init]), '4429 Too many initialisation requests'));
check('4406 without a subprotocol', async () => assert.equal(await closes([], { protocols: [] }), '4406 Subprotocol not acceptable'));
check('1009', async () => assert.match(await closes([init, 'x'.repeat(2 << 20)]), /^1009/));

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
