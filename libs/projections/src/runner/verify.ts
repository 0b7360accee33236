/** Folds the log again into separate tables, and compares the result with the live rows, one by one. */
import { START, type Position } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import { Client } from 'pg';
import type { AnyProjection } from '../define-projection';
import { Build, latest } from './build';
import { inTransaction, readCheckpoints, type Checkpoint } from './checkpoints';
import { laneOf, type LaneName } from './lanes';
import { columnsOf, createTable, inBuild, quoted, type Target } from './tables';

export interface RowDifference {
  id: string;
  /** The row that the log produces; undefined if there should be none. */
  expected?: unknown;
  /** The row in the table; undefined if there is none. */
  actual?: unknown;
}

export interface VerifyResult {
  projection: string;
  position: Position;
  /** Number of rows that the log produces. */
  rows: number;
  differing: number;
  /** The first 20, by id. */
  differences: RowDifference[];
  ok: boolean;
  /** Why the comparison was impossible. */
  problem?: string;
}

export interface VerifyOptions {
  connectionString: string;
  store: EventStore;
  projections: readonly AnyProjection[];
  signal?: AbortSignal;
  /** Called for each folded page, with the number of events, its position and the goal. */
  onPage?: (events: number, position: Position, goal: Position) => Promise<void>;
}

const SHOWN = 20;
/** Page size, the same as in a rebuild. */
const PAGE = 1_000;

/**
 * Runs in one repeatable-read transaction. The snapshot fixes tables and positions while the live read models advance,
 * and the temporary tables vanish with it.
 */
export async function verify(options: VerifyOptions): Promise<VerifyResult[]> {
  const client = new Client({
    connectionString: options.connectionString,
    application_name: 'quarterdeck verify',
  });
  client.on('error', () => undefined);
  await client.connect();
  // The comparison is one long statement, so ending the connection is the only way to stop it.
  const leave = (): void => void client.end().catch(() => undefined);
  options.signal?.addEventListener('abort', leave, { once: true });
  try {
    return await inTransaction(
      client,
      () => compareAll(client, options),
      'begin isolation level repeatable read',
    );
  } finally {
    options.signal?.removeEventListener('abort', leave);
    await client.end().catch(() => undefined);
  }
}

async function compareAll(
  client: Client,
  { store, projections, signal, onPage }: VerifyOptions,
): Promise<VerifyResult[]> {
  const checkpoints = new Map((await readCheckpoints(client)).map((row) => [row.projection, row]));
  const comparable = projections.filter((projection) => problemOf(projection, checkpoints) === undefined);
  for (const { name } of comparable)
    await client.query(`lock table ${inBuild(checkpoints.get(name)?.source ?? '')} in access share mode`);
  const targets = comparable.map((projection): Target => ({
    projection,
    table: `expected_${projection.name}`,
  }));
  for (const target of targets) await client.query(createTable(target, 'temporary'));
  const build = new Build(client, targets, { temporary: true, parked: await parkedFrom(client) });
  const goalOf = (lane: LaneName): Position => {
    const one = comparable.find((projection) => laneOf(projection) === lane);
    return (one && checkpoints.get(one.name)?.position) ?? START;
  };
  const goals = { now: goalOf('now'), later: goalOf('later') };
  const position = latest(goals);
  try {
    for await (const page of store.readOn(START, { upTo: position, size: PAGE })) {
      signal?.throwIfAborted();
      await build.apply(page, goals);
      await onPage?.(page.length, latest(build.reached), position);
    }
    await build.flush();
  } finally {
    await build.settled();
  }
  signal?.throwIfAborted();
  const results: VerifyResult[] = [];
  for (const projection of projections) {
    const problem = problemOf(projection, checkpoints);
    const empty = {
      projection: projection.name,
      position: goals[laneOf(projection)],
      rows: 0,
      differing: 0,
      differences: [],
      ok: false,
    };
    results.push(
      problem === undefined
        ? { ...empty, ...(await compare(client, projection, checkpoints.get(projection.name)?.source ?? '')) }
        : { ...empty, problem },
    );
  }
  return results;
}

function problemOf(projection: AnyProjection, checkpoints: Map<string, Checkpoint>): string | undefined {
  const stored = checkpoints.get(projection.name);
  if (!stored) return 'was never built';
  if (stored.version !== projection.version)
    return `has version ${stored.version} in the database and ${projection.version} in this program`;
  return stored.state === 'live' ? undefined : 'waits to be rebuilt';
}

async function parkedFrom(client: Client): Promise<Map<string, Map<string, Position>>> {
  const { rows } = await client.query<{ projection: string; stream: string; position: Position }>(
    'select projection, stream, position from read.parked',
  );
  const parked = new Map<string, Map<string, Position>>();
  for (const { projection, stream, position } of rows) {
    const streams = parked.get(projection) ?? new Map<string, Position>();
    parked.set(projection, streams.set(stream, position));
  }
  return parked;
}

async function compare(
  client: Client,
  projection: AnyProjection,
  source: string,
): Promise<Pick<VerifyResult, 'rows' | 'differing' | 'differences' | 'ok'>> {
  const expected = quoted(`expected_${projection.name}`);
  const values = (side: string) =>
    columnsOf(projection)
      .map((column) => `${side}.${column}`)
      .join(', ');
  const { rows } = await client.query<{ id: string; expected: unknown; actual: unknown; differing: string }>(
    `select coalesce(e.id, a.id) as id, to_jsonb(e) as expected, to_jsonb(a) as actual, count(*) over () as differing
     from ${expected} e full join ${inBuild(source)} a on a.id = e.id
     where (${values('e')}) is distinct from (${values('a')})
     order by 1 limit ${SHOWN}`,
  );
  const total = await client.query<{ rows: string }>(`select count(*) as rows from ${expected}`);
  return {
    rows: Number(total.rows[0]?.rows),
    differing: Number(rows[0]?.differing ?? 0),
    differences: rows.map((row) => ({
      id: row.id,
      expected: row.expected ?? undefined,
      actual: row.actual ?? undefined,
    })),
    ok: rows.length === 0,
  };
}
