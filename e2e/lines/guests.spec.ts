/**
 * Snippets of served APIs are guests: 40 hostile ones, each with what it tries. Afterwards an ordinary one works, and
 * this process has what it had. Runs on every line of Node. covers: API-03
 */
import { CallRefused, GuestFailure, Guests, type GuestCalls } from '../../apps/backend/src/platform/guests';

const guests = new Guests({ threads: 2 });
afterAll(() => guests.close());

const rows = [{ id: '1', name: 'Ada' }];
let listed = 0;
const calls: GuestCalls = {
  list: async (block) => {
    listed += 1;
    return { rows, block };
  },
  refuse: async () => {
    throw new CallRefused('name: at most 100 characters');
  },
  fail: async () => {
    throw new Error('relation "users" does not exist at /srv/app.js:1');
  },
};
const input = { params: { id: '7' }, query: {}, body: null, user: null, chain: {}, given: {}, now: 'today' };
/** Ordinary snippets may wait for a busy machine. */
const PATIENT = { ms: 60_000 };

const run = async (ts: string, limits: Parameters<Guests['run']>[3] = {}): Promise<unknown> =>
  (await guests.run(await guests.compile(ts), input, calls, limits)).value;
const ends = (ts: string, limits = {}): Promise<{ code: string; message: string } | { value: unknown }> =>
  run(ts, limits).then(
    (value) => ({ value }),
    (error: unknown) => {
      if (!(error instanceof GuestFailure)) throw error;
      return { code: error.code, message: error.message };
    },
  );

const LIMITED = /^(late|full|refused|threw)$/;
const OUT =
  /not defined|there is no call|not a function|undefined|null|could not|no module|not supported|Error/i;

/** Each ends with a limit. */
const endless: Record<string, string> = {
  'loop for ever': 'for (;;);',
  'loop for ever within a try that catches the interrupt': 'for (;;) try { for (;;); } catch {}',
  'loop for ever in finally': 'try { throw 1 } finally { for (;;); }',
  'loop with built-ins that take long': 'const a = Array(200000).fill("x"); for (;;) a.join(",");',
  'match a regular expression that goes back for ever': 'return /^(a+)+$/.test("a".repeat(60) + "b");',
  'sort with a comparison that never ends': '[2, 1].sort(() => { for (;;); });',
  'raise numbers that grow for ever': 'let n = 3n; for (;;) n = n ** 3n;',
  'recurse for ever': 'const f = () => f(); f();',
  'recurse in a getter for ever': 'const o = { get a() { return this.a } }; return o.a;',
  'recurse in JSON': 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a);',
  'answer with toJSON that never ends': 'return { toJSON() { for (;;); } };',
  'keep the queue of promises busy': 'const f = () => Promise.resolve().then(f); await f();',
  'wait for what never happens': 'await new Promise(() => {});',
  'wait for a thenable that never answers': 'await { then() {} };',
  'fill the memory with strings': 'let s = "x"; for (;;) s += s + Math.random();',
  'fill the memory with arrays': 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length));',
  'fill the memory with buffers': 'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));',
  'fill the memory at once': 'return new Uint8Array(1e9).length;',
  'fill the memory with one string': 'return "x".repeat(2 ** 29).length;',
  'fill the memory with closures': 'const all = []; for (;;) all.push(() => all);',
  'fill the memory of the log': 'for (;;) log("x".repeat(1e5));',
  'answer with more than an answer may have': 'return "x".repeat(2e6);',
  'make more calls than it may': 'for (;;) await call("list", {});',
  'make calls without waiting for them': 'for (;;) call("list", {});',
  'send a block that is too large': 'await call("list", "x".repeat(2e6));',
  'end before its calls': 'call("list", {}); return 1;',
  'throw an endless error': 'throw { get message() { for (;;); } };',
  'be a proxy that never answers': 'return new Proxy({}, { ownKeys() { for (;;); } });',
};

/** Each fails, or finds nothing. */
const reaching: Record<string, string> = {
  'find the process': 'return process.env;',
  'load a module': 'return require("fs");',
  'import a module': 'return await import("node:fs");',
  'ask the network': 'return await fetch("http://127.0.0.1/");',
  'reach the host through a constructor': 'return call.constructor.constructor("return process")().env;',
  'reach the host through an error of the host':
    'try { await call("nothing") } catch (e) { return e.constructor.constructor("return process")().env }',
  'call what objects inherit': 'return await call("constructor", {});',
  'call by a name that is an object': 'return await call({ toString() { return "__proto__" } }, {});',
  'use the functions that were taken away': 'return __call("list", "{}");',
  'start a thread': 'return new Worker("x");',
  'share memory with the host': 'return WebAssembly.Memory;',
  'wait without a call': 'setTimeout(() => {}, 1); return 1;',
};

test('has 40 hostile snippets', () => {
  expect(Object.keys({ ...endless, ...reaching })).toHaveLength(40);
});

test.each(Object.entries(endless))('ends a snippet that tries to %s', async (_, ts) => {
  expect(await ends(ts)).toMatchObject({ code: expect.stringMatching(LIMITED) });
});

test.each(Object.entries(reaching))('lets no snippet %s', async (_, ts) => {
  const before = listed;
  const ended = await ends(ts, PATIENT);
  expect(ended).toMatchObject({ code: expect.stringMatching(LIMITED), message: expect.stringMatching(OUT) });
  expect(listed).toBe(before);
});

test('an ordinary snippet has its input, its calls, ids, and TypeScript', async () => {
  const value = await run(
    `interface Row { id: string; name: string }
     enum Kind { Person = 2 }
     const { rows } = await call('list', { entity: 'Person' }) as { rows: Row[] };
     return { first: rows[0]!.name satisfies string, id: params.id, kind: Kind.Person, now, uuid: uuid() };`,
    PATIENT,
  );
  expect(value).toEqual({
    first: 'Ada',
    id: '7',
    kind: 2,
    now: 'today',
    uuid: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  });
});

test('what one snippet changes, the next one does not see', async () => {
  await run(
    'Array.prototype.map = () => 1; globalThis.left = 2; JSON.stringify = () => "{}"; return 1;',
    PATIENT,
  );
  expect(await run('return [typeof left, [1].map((x) => x + 1), JSON.stringify([3])];', PATIENT)).toEqual([
    'undefined',
    [2],
    '[3]',
  ]);
});

test('data named __proto__ stays data', async () => {
  const js = await guests.compile('return [Object.keys(body), body.admin ?? null];');
  const body = JSON.parse('{"__proto__": {"admin": true}}') as object;
  expect((await guests.run(js, { ...input, body }, calls, PATIENT)).value).toEqual([['__proto__'], null]);
});

test('a call that fails says to the snippet only what it may know', async () => {
  const told = (name: string) => run(`try { await call('${name}') } catch (e) { return e.message }`, PATIENT);
  expect(await told('refuse')).toBe('name: at most 100 characters');
  expect(await told('fail')).toBe('the call failed');
  expect(await told('drop')).toBe('there is no call drop: there are list, refuse, fail');
});

test('hands over the log of a snippet, cut', async () => {
  const js = await guests.compile('log("a", 1, { b: 2 }); log("x".repeat(5000)); return null;');
  const { logs } = await guests.run(js, input, calls, PATIENT);
  expect(logs).toEqual(['a 1 {"b":2}', 'x'.repeat(1000)]);
});

test('20 snippets at once share two threads', async () => {
  const js = await guests.compile('return (await call("list", given.n)).block');
  const all = Array.from({ length: 20 }, (_, n) =>
    guests.run(js, { ...input, given: { n } }, calls, PATIENT),
  );
  expect((await Promise.all(all)).map(({ value }) => value)).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

test.each([
  ['return 1;\nconst = 2;', 2],
  ['const a: = 1;', 1],
  ['\n\nreturn (;', 3],
  ['const a = 1;\nconst b = "a', 2],
  ['export const a = 1;', 1],
])('refuses %j when it is compiled, with its line', async (ts, line) => {
  await expect(guests.compile(ts)).rejects.toMatchObject({
    code: 'refused',
    line,
    message: expect.any(String),
  });
});

test('an error says the line that threw it', async () => {
  const js = await guests.compile('const a: string = "x";\nif (a) throw new Error("no stock");\nreturn 1;');
  await expect(guests.run(js, input, calls, PATIENT)).rejects.toMatchObject({
    code: 'threw',
    message: 'no stock',
    line: 2,
  });
});
