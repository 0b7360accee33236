/**
 * The statements that one change waits for, one after the other. They hardly depend on the machine, and each is a turn to
 * the database and back.
 */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { startSshd } from '../../testing/sshd';
import { openWorld, registerAt, type World } from './world';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

let world: World;
let alice: Operator;
let asked: Statement[] = [];
const { query } = Client.prototype;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ workspace: 'statements', role: 'admin', email: 'alice@example.org' });
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    const [first, values = []] = given as [string | Partial<Statement>, unknown[]?];
    asked.push(typeof first === 'string' ? { text: first, values } : { text: '', values, ...first });
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  } as typeof query;
});
afterAll(async () => {
  Client.prototype.query = query;
  await world?.end();
});

const kinds = {
  append: /update log\.head|log\.append/,
  read: /from log\.events/,
  'read models': /update read\.live/,
  claim: /^insert into app\.claims/,
  release: /^delete from app\.claims/,
  begin: /^insert into app\.leases/,
  end: /^delete from app\.leases/,
};
const kindOf = (text: string): string =>
  Object.entries(kinds).find(([, words]) => words.test(text.trim()))?.[0] ?? text;

/** Nobody waits for it. */
const isLater = (text: string): boolean => /update read\.live set later_position/.test(text);

/** Statements about a thing; arrays are in the binary format. */
const about = (id: string): string[] =>
  asked
    .filter(
      ({ text, values }) =>
        !isLater(text) &&
        values.some((value) => (Buffer.isBuffer(value) ? value : (JSON.stringify(value) ?? '')).includes(id)),
    )
    .map(({ text }) => kindOf(text));

/** What a call asks about the thing; others are at work meanwhile. */
const statementsOf = async (path: string, body: object): Promise<{ id: string; kinds: string[] }> => {
  asked = [];
  const answer = await alice.post<{ id: string }>(path, body);
  expect(answer).toMatchObject({ status: 200 });
  await world.backend.caughtUp();
  const { id } = answer.body;
  return { id, kinds: about(id) };
};

const INSERT = ['claim', 'append', 'read models'];
const EDIT = ['read', 'append', 'read models'];
/** The old name is released when the new one is recorded. */
const RENAME = ['read', 'claim', 'append', 'read models', 'release'];

const script = { name: 'Free space', body: 'df -h', changes: false, timeoutSeconds: 60 };
const nouns = [
  {
    noun: 'a plain noun',
    path: 'product',
    added: { data: { name: 'Shop', description: '' } },
    edited: { name: 'Shop', description: 'Sells things' },
    renamed: { name: 'Store', description: 'Sells things' },
  },
  {
    noun: 'a rich noun',
    path: 'script',
    added: script,
    edited: { ...script, body: 'df' },
    renamed: { ...script, body: 'df', name: 'Space' },
  },
];

test.each(nouns)('$noun takes three, and five for another name', async ({ path, added, edited, renamed }) => {
  const { id, kinds: first } = await statementsOf(`${path}/insert`, added);
  expect(first).toEqual(INSERT);
  expect((await statementsOf(`${path}/update`, { id, data: edited })).kinds).toEqual(EDIT);
  const { kinds: last } = await statementsOf(`${path}/update`, { id, data: renamed });
  expect(last.toSorted()).toEqual(RENAME.toSorted());
});

test('a run of one step takes three appends, and at most as many writes of read models', async () => {
  const sshd = await startSshd();
  try {
    const id = await registerAt(alice, sshd, 'web-1');
    const runId = randomUUID();
    asked = [];
    expect(await alice.post('server/execCmd', { id, cmdType: 1, runId })).toMatchObject({ status: 200 });
    await world.backend.caughtUp();
    const found = about(runId);
    const counts = Object.fromEntries(
      ['begin', 'append', 'read models', 'read', 'end'].map((kind) => [
        kind,
        found.filter((one) => one === kind).length,
      ]),
    );
    // Requested, step begun, step and run ended, before which the run is read: it may be cancelled. Then the lease is given back.
    expect(counts).toMatchObject({ begin: 1, append: 3, read: 1, end: 1 });
    // Two that follow at once may share one.
    expect(counts['read models']).toBeLessThanOrEqual(3);
    // The rest is output, as it comes, and a lease that is kept while the run takes long.
    const rest = found.filter((one) => !(one in counts));
    expect(rest.filter((one) => !/app\.run_output|update app\.leases l set until/.test(one))).toEqual([]);
  } finally {
    await sshd.stop();
  }
});

test('a change is told to nobody by a process that is alone, and twice to another one', async () => {
  const heard: string[] = [];
  const listener = new Client({ connectionString: world.postgres.url });
  listener.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload}`));
  await listener.connect();
  await listener.query('listen log_appended; listen projected');
  const changed = async (name: string) => {
    const { headers } = await alice.post('product/insert', { data: { name, description: '' } });
    const position = String(headers.get('x-position'));
    await world.backend.caughtUp();
    await listener.query('select');
    return heard.filter((told) => told.endsWith(` ${position}`));
  };
  try {
    expect(await changed('Alone')).toEqual([]);
    const another = await world.another();
    await until(async () => (await changed(`Seen ${heard.length}`)).length === 2);
    await another.close();
  } finally {
    await listener.end();
  }
});

test('a name that an edit keeps is not given back while another thing takes it', async () => {
  const insert = (name: string) =>
    alice.post<{ id: string }>('product/insert', { data: { name, description: '' } });
  for (let round = 0; round < 30; round += 1) {
    const name = `Kept ${round}`;
    const { id } = (await insert(name)).body;
    const update = (fields: object) => alice.post('product/update', { id, data: fields });
    await Promise.all([
      update({ name, description: `1 ${round}` }),
      update({ name: `Other ${round}`, description: '' }),
      insert(name),
      update({ name: name.toUpperCase(), description: `2 ${round}` }),
      update({ name, description: `3 ${round}` }),
    ]);
    await insert(name);
  }
  await world.backend.caughtUp();
  const { body } = await alice.post<{ name: string }[]>('product/list', {});
  const names = body.map(({ name }) => name.toLowerCase()).filter((name) => name.startsWith('kept'));
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  expect(names.length).toBeGreaterThanOrEqual(30);
});
