// covers: DB-01
import { lookInto } from '../../apps/backend/src/databases/database-look';
import { UnknownAnswer } from '../../apps/backend/src/databases/postgres-messages';
import { openTarget, type Target } from '../../apps/backend/src/databases/target';
import { heldBytes } from '../../testing/held-memory';
import { until } from '../../testing/patience';
import { AnswerTooLarge } from '../../apps/backend/src/databases/bounded-stream';
import {
  startHostileDatabase,
  type Dialect,
  type HostileDatabase,
  type Misdeed,
} from '../../testing/hostile-database';

const MEGABYTE = 1024 * 1024;
/** What the operating system holds for a closed connection, and one packet of 16 MB under way. */
const UNDER_WAY = 24 * MEGABYTE;

let database: HostileDatabase;
afterEach(() => database?.stop());

const misbehaving = async (
  dialect: Dialect,
  misdeed: Misdeed,
  { answer, ...more }: { answer?: Buffer; signal?: AbortSignal; protection?: 'none' } = {},
): Promise<Target> => {
  database = await startHostileDatabase(dialect, misdeed, answer);
  const { port } = database;
  return openTarget(
    { dialect, host: '127.0.0.1', port, user: 'shop', password: 'a-secret', database: 'shop', ...more },
    { connectMs: 10_000, lockMs: 1000, ...more },
  );
};

/** @returns the answer or its error, and the most bytes that this process held for it */
const heldDuring = async (ask: () => Promise<unknown>): Promise<[answer: unknown, bytes: number]> => {
  const before = heldBytes();
  let isOver = false;
  const answer = ask()
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true;
    });
  let most = 0;
  for (const megabytes of [0.5, 4, 16, 28]) {
    while (!isOver && database.sent() < megabytes * MEGABYTE) await new Promise(setImmediate);
    most = Math.max(most, heldBytes() - before);
  }
  return [await answer, most];
};

const both = ['postgresql', 'mysql'] as const;
const endless = both.flatMap((dialect) =>
  (['rows', 'bytes', 'claim', 'notices'] as const)
    .filter((misdeed) => dialect === 'postgresql' || misdeed !== 'notices')
    .map((misdeed) => [dialect, misdeed] as const),
);

test.each(endless)(
  '%s: %s without end are refused, and the connection is closed',
  async (dialect, misdeed) => {
    const target = await misbehaving(dialect, misdeed);
    const [answer, held] = await heldDuring(() => target.query('select 1'));
    expect(answer).toBeInstanceOf(AnswerTooLarge);
    expect(database.sent()).toBeLessThan(32 * MEGABYTE + UNDER_WAY);
    expect(held).toBeLessThan(100 * MEGABYTE);
    // A later question gets the same reason.
    await expect(target.query('select 1')).rejects.toThrow(AnswerTooLarge);
    await target.end();
  },
);

test.each(both)('%s: a greeting without end is refused', async (dialect) => {
  await expect(misbehaving(dialect, 'greeting')).rejects.toThrow();
  expect(database.sent()).toBeLessThan(8 * MEGABYTE);
});

test.each(both)(
  '%s: a silent server ends a question when its time is over, and a goodbye too',
  async (dialect) => {
    const target = await misbehaving(dialect, 'silent');
    await expect(target.query('select 1', [], 50)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await target.end();
    const patient = await misbehavingAgain(dialect);
    await patient.end();
    await until(() => database.open() === 0);
  },
);

const misbehavingAgain = async (dialect: Dialect): Promise<Target> => {
  await database.stop();
  return misbehaving(dialect, 'silent');
};

test.each(both)('%s: a signal ends a question that is not answered', async (dialect) => {
  const cancel = new AbortController();
  const target = await misbehaving(dialect, 'silent', { signal: cancel.signal });
  const asked = database.asked();
  const answer = target.query('select 1', [], Infinity);
  await asked;
  cancel.abort(new Error('cancelled by an operator'));
  await expect(answer).rejects.toThrow('cancelled by an operator');
});

test.each(['clear', 'md5'] as const)(
  'a PostgreSQL that asks for the password (%s) without TLS does not get it',
  async (form) => {
    await expect(misbehaving('postgresql', form)).rejects.toMatchObject({ code: 'PLAIN_PASSWORD' });
    expect(database.said()).toBe('');
    await database.stop();
    const target = await misbehaving('postgresql', form, { protection: 'none' });
    expect(database.said()).toContain(form === 'clear' ? 'a-secret' : 'md5');
    await target.end();
  },
);

/** Each ended the process, or held it for ever, in the driver. */
test.each([
  ['an error without its end', '4500000004'],
  ['a notice whose text has no end', '4e0000000553'],
  ['an unknown request to identify', '520000000800000063'],
  ['more columns than there can be', '540000000680ff'],
  ['a row of as many values', '440000000680ff'],
  ['a length of nothing', '4400000000'],
])('a PostgreSQL that answers with %s is refused', async (_what, bytes) => {
  const target = await misbehaving('postgresql', 'broken', { answer: Buffer.from(bytes, 'hex') });
  await expect(target.query('select 1')).rejects.toMatchObject({
    name: expect.stringMatching(/UnknownAnswer|AnswerTooLarge/),
  });
  await target.end();
});

test('an answer of 100,000 columns is refused before they are read', async () => {
  // A count of 100,000, and one column.
  const count = Buffer.from('04000001fda08601', 'hex');
  const target = await misbehaving('mysql', 'broken', { answer: count });
  await expect(target.query('select 1')).rejects.toThrow('more than 4096 columns');
  await target.end();
});

const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const message = (letter: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
/** Text, without a table. */
const column = Buffer.from('610000000000000000000019ffffffffffff0000', 'hex');

test('an answer with more values than there may be is refused, however few bytes they have', async () => {
  const columns = message('T', Buffer.concat([int16(1000), ...Array.from({ length: 1000 }, () => column)]));
  const row = message('D', Buffer.concat([int16(1000), Buffer.alloc(4000, 255)]));
  const answer = Buffer.concat([columns, ...Array.from({ length: 2100 }, () => row)]);
  const target = await misbehaving('postgresql', 'broken', { answer });
  await expect(target.query('select 1')).rejects.toThrow('more than 2000000 values');
  await target.end();
});

test('a server that answers everything with the same row is no database that was tested', async () => {
  const row = message('D', Buffer.concat([int16(1), Buffer.from('0000000178', 'hex')]));
  const answer = Buffer.concat([
    message('T', Buffer.concat([int16(1), column])),
    row,
    message('C', Buffer.from('SELECT 1\0')),
    message('Z', Buffer.from('I')),
  ]);
  const target = await misbehaving('postgresql', 'broken', { answer });
  await expect(lookInto(target, performance.now())).rejects.toThrow(UnknownAnswer);
  await target.end();
});

test('what a database says in an error is one bounded line without the password, in whatever form', async () => {
  const target = await misbehaving('postgresql', 'error');
  const failed = await target.query('select 1').then(String, (error: Error) => error.message);
  expect(failed).toMatch(/^no such thing: \*{7} \*{7}= \*{7} line two x+…$/);
  expect(failed.length).toBeLessThan(600);
  await target.end();
});
