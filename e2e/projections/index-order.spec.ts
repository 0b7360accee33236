/** Queries that compare ids with references can use an index only if they use its collation. */
import type { Pool } from 'pg';
import { listServers } from '../../apps/backend/src/servers/servers.queries';
import { listRuns, listWorkspaces } from '../../apps/backend/src/superadmin/superadmin.queries';
import { openWorld, type World } from '../backend/world';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  // The read models and their indexes exist once the first event has been folded.
  await world.backend.signIn();
});
afterAll(() => world?.end());

/** Postgres' plan for tables so large that it looks for an index. */
const planOf = async (ask: (db: Pool) => Promise<unknown>): Promise<string> => {
  const client = await world.backend.db.connect();
  let plan = '';
  const explained = {
    query: async (query: string | { text: string; values: unknown[] }, values?: unknown[]) => {
      const { text, values: given } = typeof query === 'string' ? { text: query, values } : query;
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, given);
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return { rows: [] };
    },
  };
  try {
    await client.query('begin');
    await client.query('set local enable_seqscan = off');
    await ask(explained as unknown as Pool);
    return plan;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

const workspace = '01930000-0000-7000-8000-000000000999';

const lines = (plan: string, how: string): string[] =>
  plan.split('\n').filter((line) => line.trim().startsWith(`${how}:`));

test.each<[string, RegExp, (db: Pool) => Promise<unknown>]>([
  ['the newest run of a server', /"serverId" = \(\w+\.id/, (db) => listServers(db, workspace)],
  ['the newest runs of every workspace', /workspace = \(\w+\.id/, (db) => listRuns(db, {})],
  ['what a workspace has', /workspace = \(\w+\.id/, (db) => listWorkspaces(db)],
])('the query for %s uses the index', async (_what, condition, ask) => {
  const plan = await planOf(ask);
  expect(lines(plan, 'Index Cond').join('\n')).toMatch(condition);
  expect(lines(plan, 'Filter').join('\n')).not.toMatch(
    /("serverId"|workspace) = (\w+\.id|\(\w+\.id\)::text)/,
  );
});
