/** Queries can use an index only if they compare as it does: with its collation, or the hashes of texts. */
import type { Pool } from 'pg';
import { MONITORS } from '../../apps/backend/src/alerts/outcome-watch';
import { historyPages, listHistory } from '../../apps/backend/src/history/history.queries';
import { unacknowledged } from '../../apps/backend/src/platform/database';
import { positionsBetween } from '../../apps/backend/src/platform/history-times';
import { Instants } from '../../apps/backend/src/platform/as-of/instants';
import { listServers } from '../../apps/backend/src/servers/servers.queries';
import {
  lastMaintenance,
  listInstallationEvents,
  listRuns,
  listWorkspaces,
} from '../../apps/backend/src/superadmin/superadmin.queries';
import { openWorld, type World } from '../backend/world';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  // The read models and their indexes exist once the first event has been folded.
  await world.backend.signIn();
});
afterAll(() => world?.end());

/**
 * Postgres' plans, one for each query.
 * @param before by default, as for tables so large that it looks for an index
 */
const plansOf = async (
  ask: (db: Pool) => Promise<unknown>,
  before: readonly string[] = ['set local enable_seqscan = off'],
): Promise<string[]> => {
  const client = await world.backend.db.connect();
  const plans: string[] = [];
  const explained = {
    query: async (query: string | { text: string; values: unknown[] }, values?: unknown[]) => {
      const { text, values: given } = typeof query === 'string' ? { text: query, values } : query;
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, given);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return { rows: [] };
    },
  };
  try {
    await client.query('begin');
    for (const statement of before) await client.query(statement);
    await ask(explained as unknown as Pool);
    return plans;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

/** The plan of the last query. */
const planOf = async (ask: (db: Pool) => Promise<unknown>): Promise<string> =>
  (await plansOf(ask)).at(-1) ?? '';

const workspace = '01930000-0000-7000-8000-000000000999';

const reader = { workspace, role: 'admin' as const };
const filtered =
  (filter: Parameters<typeof listHistory>[2]) =>
  (db: Pool): Promise<unknown> =>
    listHistory(db, reader, filter);

const lines = (plan: string, how: string): string[] =>
  plan.split('\n').filter((line) => line.trim().startsWith(`${how}:`));

test.each<[string, RegExp, (db: Pool) => Promise<unknown>]>([
  ['the newest run of a server', /"serverId" = \(\w+\.id/, (db) => listServers(db, workspace)],
  ['the newest runs of every workspace', /workspace = \(\w+\.id/, (db) => listRuns(db, {})],
  ['what a workspace has', /workspace = \(\w+\.id/, (db) => listWorkspaces(db)],
  ['failed runs of the SSL monitor', /"subjectId" = \(\w+\.id/, (db) => db.query(MONITORS)],
])('the query for %s uses the index', async (_what, condition, ask) => {
  const plan = await planOf(ask);
  expect(lines(plan, 'Index Cond').join('\n')).toMatch(condition);
  expect(lines(plan, 'Filter').join('\n')).not.toMatch(
    /("serverId"|"subjectId"|workspace) = (\w+\.id|\(\w+\.id\)::text)/,
  );
});

test.each<[string, string[], (db: Pool) => Promise<unknown>]>([
  ['its newest events', ['workspace'], filtered({})],
  ['some types', ['workspace', 'type'], filtered({ types: ['ServerMoved', 'ServerRenamed'] })],
  ['an actor', ['workspace', 'actor'], filtered({ actor: 'system' })],
  ['a subject', ['workspace', '"subjectId"'], filtered({ subject: { category: 'server', id: workspace } })],
  ['an instant', ['workspace'], (db) => new Instants(db, () => '9').resolve('1', workspace).catch(() => 0)],
  ['events of the installation', ['workspace'], (db) => listInstallationEvents(db)],
  ['the last maintenance', ['workspace', 'type'], (db) => lastMaintenance(db)],
  ['foreign events', ['workspace', 'type'], (db) => unacknowledged(db).catch(() => 0)],
])('the history is searched for %s by an index of hashes', async (_what, columns, ask) => {
  const plan = await planOf(ask);
  expect(lines(plan, 'Index Cond').join('\n')).toContain('hashtext(');
  // An index that a nearly empty table does not pay for is left out.
  for (const column of columns) expect(plan).toContain(`hashtext(${column})`);
  expect(plan).not.toMatch(/Seq Scan on history/);
});

test('the history is searched for what came before a request by the time in its id', async () => {
  const plan = await planOf((db) => new Instants(db, () => '9').before('x', workspace));
  expect(lines(plan, 'Index Cond').join('\n')).toContain('"left"("correlationId", 13)');
  expect(plan).not.toMatch(/Seq Scan on history/);
});

test('words of runs are searched by indexes: those of ended runs by their text, all others one by one', async () => {
  const plan = await planOf((db) => listRuns(db, { search: 'web-17 disk' }));
  expect(plan).toContain('BitmapOr');
  expect(plan).toMatch(/Bitmap Index Scan on runs_v\d+_\d+_index_4 .*\n\s+Index Cond: .* ~~\* '%web-17%'/);
  expect(plan).toMatch(/Bitmap Index Scan on runs_v\d+_\d+_index_5/);
});

/**
 * A workspace with events, and SQL that gives it 20,000 more.
 * @param at SQL: when event `n` was decided
 */
const longHistory = async (at: string): Promise<{ ours: string; source: string; long: string }> => {
  const { rows } = await world.backend.db.query<{ source: string; workspace: string }>(
    `select c.source, h.workspace from read.checkpoints c, read.history h
     where c.projection = 'history' and h.workspace <> '-' limit 1`,
  );
  const { source = '', workspace: ours = '' } = rows[0] ?? {};
  const columns = '"recordedAt", revision, actor, category, "subjectId", says, audience, "correlationId"';
  // Caused by their own command: what others undid is looked for event by event.
  const long = `insert into read_build.${source} (id, position, workspace, view, type, at, ${columns}, "causationId")
    select 'x' || n, 1000000 + n, workspace, view, type, ${at}, ${columns}, "correlationId"
    from (select * from read_build.${source} where workspace = '${ours}' limit 1) one, generate_series(1, 20000) n`;
  return { ours, source, long };
};

test('the bounds of a time range are found by the index of times, in a history of any length', async () => {
  const { ours, source, long } = await longHistory(`timestamptz '2020-01-01' + n * interval '1 hour'`);
  const range = { from: '2021-01-01', to: '2021-01-02' };
  const plans = await plansOf(
    (db) => listHistory(db, { ...reader, workspace: ours }, range),
    [long, `analyze read_build.${source}`],
  );
  for (const plan of plans.slice(0, 2)) {
    const conditions = lines(plan, 'Index Cond').filter((line) => /\bat >= .*\bat <= /.test(line));
    expect(conditions).toHaveLength(1);
    // Of a range that comes out of a join, Postgres expects a ninth of all events.
    expect(plan).not.toMatch(/Nested Loop|Join/);
    // Events that are compared one by one.
    expect(lines(plan, 'Filter').join()).not.toMatch(/\bat [<>]=/);
  }
});

test('events recorded up to an hour after their decision are in their time range, with few others between its bounds', async () => {
  const client = await world.backend.db.connect();
  try {
    await client.query('begin');
    // One each minute, in an order that its hour mixes, and one with a clock that is two years behind.
    const late = `timestamptz '2020-01-01' + n * interval '1 minute' - (n * 37 % 60) * interval '1 minute'`;
    const { ours, long } = await longHistory(
      `case n when 15000 then timestamptz '2018-01-01' else ${late} end`,
    );
    await client.query(long);
    for (const [from, to] of [
      ['2020-01-01T10:00:00Z', '2020-01-01T11:00:00Z'],
      ['2020-01-05T00:00:00Z', '2020-01-06T00:00:00Z'],
      ['2020-01-09T03:07:00Z', '2020-01-09T03:07:00Z'],
    ] as const) {
      const { rows } = await client.query<{ position: string }>(
        'select position from read.history where workspace = $1 and at between $2 and $3 order by position desc',
        [ours, from, to],
      );
      const found: string[] = [];
      for await (const page of historyPages(client, { workspace: ours, role: 'superadmin' }, { from, to }))
        found.push(...page.map(({ position }) => position));
      expect(found).toEqual(rows.map(({ position }) => position));
      const { first, last } = await positionsBetween(client, { from, to });
      expect(Number(last) - Number(first) - rows.length).toBeLessThan(1_000);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});
