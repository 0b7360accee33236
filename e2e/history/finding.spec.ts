// covers: AUD-01
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { subjectName, type HistoryView } from '@quarterdeck/projections';
import { exportOf } from '../../apps/backend/src/history/history-export';
import type { Queries } from '../../apps/backend/src/history/history-filter';
import { historyPages } from '../../apps/backend/src/history/history.queries';
import { everything, openLongHistory, pageOf, positions, type LongHistory } from './long-history';

const EVENTS = 4_000;

let past: LongHistory;

beforeAll(async () => {
  past = await openLongHistory(EVENTS);
});
afterAll(() => past?.world.end());

type Filter = Parameters<typeof everything>[1] & {
  text?: string;
  types?: string[];
  subject?: { category: string; id?: string };
  actor?: string;
  from?: string;
  to?: string;
  cause?: string;
};

const inWords = (type: string): string => type.replace(/([a-z])([A-Z])/g, '$1 $2');

/** A reference implementation of the filter, one event after the other. */
const fits = (event: HistoryView, { text, types, subject, actor, from, to, cause }: Filter): boolean => {
  const said = [event.says, event.type, inWords(event.type), event.subject.name ?? ''];
  return (
    (!text || said.some((words) => words.toLowerCase().includes(text.toLowerCase()))) &&
    (!types || types.includes(event.type)) &&
    (!subject || (event.category === subject.category && (!subject.id || event.subjectId === subject.id))) &&
    (!actor || event.actor === actor) &&
    (!from || event.at >= from) &&
    (!to || event.at <= to) &&
    (!cause || event.correlationId === cause)
  );
};

/** Always the same series, so that a failure can be reproduced. */
const chances = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

const randomFilter = (chance: () => number): Filter => {
  const one = <T>(of: readonly T[]): T => of[Math.floor(chance() * of.length)] as T;
  const event = one(past.all);
  const [a, b] = [event.at, one(past.all).at].toSorted();
  const texts = [
    'web-1',
    'SUCCEEDED',
    'Memory usage',
    'renamed',
    'moved to root@10.2',
    'check 3',
    'R3',
    'no such thing',
  ];
  const parts: Filter[] = [
    { text: one(texts) },
    { types: [one(past.all).type, event.type] },
    { subject: { category: event.category } },
    { subject: { category: event.category, id: event.subjectId } },
    { actor: one([...past.people, 'system', 'cli']) },
    { from: a },
    { to: b },
    { from: a, to: b },
    { cause: event.correlationId },
  ];
  return { ...one(parts), ...(chance() < 0.6 ? one(parts) : {}), ...(chance() < 0.3 ? one(parts) : {}) };
};

test('every filter, and every combination of them, finds the same events as a check of each event, to the last page', async () => {
  const chance = chances(7);
  expect(past.all.length).toBeGreaterThan(EVENTS);
  let found = 0;
  for (let round = 0; round < 60; round += 1) {
    const filter = randomFilter(chance);
    const expected = past.all.filter((event) => fits(event, filter));
    const events =
      round % 4 === 0 ? await everything(past.alice, filter) : (await pageOf(past.alice, filter)).events;
    const wanted = round % 4 === 0 ? expected : expected.slice(0, 50);
    expect({ filter, found: positions(events) }).toEqual({ filter, found: positions(wanted) });
    found += events.length;
  }
  expect(found).toBeGreaterThan(500);
});

test('a name used by thousands of events is found like one used by few', async () => {
  // Runs are subjects too: their names exceed the limit of the look-up.
  const wanted = past.all.filter((event) => fits(event, { text: ' on ' }));
  expect(new Set(wanted.map(({ subjectId }) => subjectId)).size).toBeGreaterThan(400);
  expect(positions(await everything(past.alice, { text: ' on ' }))).toEqual(positions(wanted));
});

test('one or two letters are found at the beginning of words, and punctuation alone is refused by name', async () => {
  for (const text of ['r', 'sy', 'We']) {
    const begins = new RegExp(`(^|[ "./@-])${text}`, 'i');
    const { events } = await pageOf(past.alice, { text, limit: 100 });
    const wanted = past.all.filter(
      ({ says, type, subject }) =>
        [says, subject.name ?? ''].some((words) => begins.test(words)) ||
        [type, inWords(type)].some((words) => words.toLowerCase().includes(text.toLowerCase())),
    );
    expect(positions(events)).toEqual(positions(wanted.slice(0, 100)));
  }
  const { status, body } = await past.alice.post('history/list', { text: '%' });
  expect([status, body]).toEqual([
    400,
    { msg: 'a letter or a digit is expected', data: { text: 'a letter or a digit is expected' } },
  ]);
});

test('times beyond the log match nothing or everything', async () => {
  const newest = past.all[0]?.at ?? '';
  const later = new Date(Date.parse(newest) + 1).toISOString();
  expect(await everything(past.alice, { from: later })).toEqual([]);
  expect(await everything(past.alice, { to: '2001-01-01T00:00:00Z' })).toEqual([]);
  expect(positions(await everything(past.alice, { from: '2001-01-01T00:00:00Z', to: later }))).toEqual(
    positions(past.all),
  );
});

describe('the export', () => {
  const taken = async (query: string, who = past.alice): Promise<{ type: string | null; text: string }> => {
    const answer = await fetch(`${who.url}/api/history/export?${query}`, { headers: { cookie: who.cookie } });
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="history-\d{4}-\d\d-\d\d\.(csv|jsonl)"$/),
    ]);
    return { type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const linesOf = async (query: string, who = past.alice): Promise<HistoryView[]> =>
    (await taken(`format=jsonl&${query}`, who)).text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as HistoryView);

  /** RFC 4180, as a spreadsheet reads it. */
  const cellsOf = (csv: string): string[][] => {
    const rows: string[][] = [];
    let row: string[] = [];
    for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
      row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
      if (end === ',') continue;
      rows.push(row);
      row = [];
    }
    return rows;
  };

  test('as JSON lines contains every event as the list shows it', async () => {
    expect(await linesOf('')).toEqual(past.all);
  });

  test('as CSV contains every event in a row, with names', async () => {
    const { type, text } = await taken('format=csv');
    const [head = [], ...rows] = cellsOf(text);
    expect(type).toBe('text/csv; charset=utf-8');
    expect(rows.map((row) => row[head.indexOf('position')])).toEqual(positions(past.all));
    const cells = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    expect(cells('data').map((data) => JSON.parse(data ?? '') as unknown)).toEqual(
      past.all.map(({ data }) => data),
    );
    const { body: people } = await past.alice.post<{ id: string; email?: string }[]>('person/list', {});
    const names = new Map(people.map(({ id, email }) => [id, email ?? id]));
    const subjects = past.all.map((event) => subjectName(event, (id) => names.get(id) ?? id));
    expect(cells('subject')).toEqual(subjects);
    expect(subjects).toContain('alice@example.org');
    expect(cells('who')).toContain('alice@example.org');
  });

  test('applies the filter in the address, and names what is wrong in it', async () => {
    const actor = past.people[0] ?? '';
    const query = `type=RunRequested&type=ServerMoved&actor=${actor}&category=server&text=root`;
    const wanted = {
      types: ['RunRequested', 'ServerMoved'],
      actor,
      subject: { category: 'server' },
      text: 'root',
    };
    expect(await linesOf(query)).toEqual(past.all.filter((event) => fits(event, wanted)));
    expect(await linesOf('type=PersonJoined')).toEqual(
      past.all.filter(({ type }) => type === 'PersonJoined'),
    );
    expect((await taken('format=csv&text=nothing-of-that-name')).text).toMatch(/^position,[^\n]*\r\n$/);
    for (const [wrong, field] of [
      ['format=xlsx', 'format'],
      ['', 'format'],
      ['format=csv&from=yesterday', 'from'],
      ['format=csv&before=7', 'before'],
    ]) {
      const { status, body } = await past.alice.get<{ data: object }>(`history/export?${wrong}`);
      expect([status, Object.keys(body.data)]).toEqual([400, [field]]);
    }
  });

  test('of an instant contains what the list shows at it', async () => {
    const { position = '' } = past.all[Math.floor(past.all.length / 2)] ?? {};
    const upTo = past.all.filter((event) => Number(event.position) <= Number(position));
    expect(positions(await linesOf(`at=${position}`))).toEqual(positions(upTo));
    const { body } = await past.alice.post<{ events: HistoryView[] }>(
      'history/list',
      { types: ['ServerMoved'] },
      { 'x-at': position },
    );
    const moved = await linesOf(`type=ServerMoved&at=${position}`);
    expect(moved.slice(0, body.events.length)).toEqual(body.events);
    expect(moved.length).toBeGreaterThan(1);
    for (const wrong of ['tomorrow', '2001-01-01T00:00:00Z']) {
      const { status, body: refused } = await past.alice.get<{ data: object }>(
        `history/export?format=csv&at=${wrong}`,
      );
      expect([status, Object.keys(refused.data)]).toEqual([400, ['at']]);
    }
  });

  test('is for admins, and is limited to the workspace', async () => {
    const { backend } = past.world;
    const member = await backend.signIn({ email: 'mia@example.org', role: 'member' });
    expect((await member.get('history/export?format=csv')).status).toBe(403);
    const stranger = await backend.signIn({ workspace: 'elsewhere' });
    const theirs = await linesOf('', stranger);
    expect(theirs.map(({ type }) => type)).toContain('PersonSignedIn');
    expect(theirs.filter(({ workspace }) => workspace === past.workspace)).toEqual([]);
  });

  test('reads only as fast as it is consumed', async () => {
    let pages = 0;
    const db: Queries = {
      query: (text, values) => {
        if (text.includes('limit 1000')) pages += 1;
        return past.world.backend.db.query(text, values);
      },
    };
    const reader = { workspace: past.workspace, role: 'admin' as const };
    const stream = Readable.from(exportOf(historyPages(db, reader, {}), 'jsonl', String), {
      objectMode: true,
      highWaterMark: 1,
    });
    await once(stream, 'readable');
    stream.read();
    await new Promise((done) => setImmediate(done));
    stream.destroy();
    // The page that was taken, the one that waits, and the one that is being fetched; not all five.
    expect(past.all.length / 1_000).toBeGreaterThan(4);
    expect(pages).toBeLessThanOrEqual(3);
  });
});
