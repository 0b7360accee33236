import type { RunView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { withLine } from '../runs';
import type { FleetServer } from './fleet-request';

export const fleetRun = async (db: Pool, workspace: string, id: string): Promise<RunView | undefined> => {
  const { rows } = await db.query<{ view: RunView }>(
    `select view from read.runs where workspace = $1 and id = $2 and kind = 'fleet'`,
    [workspace, id],
  );
  return rows[0]?.view;
};

/** The parts of the run, one per server. */
export const partsOf = async (db: Pool, fleet: string, workspace: string): Promise<RunView[]> => {
  const { rows } = await db.query<{ view: RunView }>({
    name: 'fleet-parts',
    text: `select ${withLine('view')} as view from read.runs u where parent = $1 and workspace = $2`,
    values: [fleet, workspace],
  });
  return rows.map(({ view }) => view);
};

/** Servers of the workspace by id, with their current names. */
export const serversById = async (
  db: Pool,
  workspace: string,
  ids: readonly string[],
): Promise<Map<string, FleetServer>> => {
  const { rows } = await db.query<FleetServer>(
    'select id, alias as name from read.servers where workspace = $1 and id = any($2)',
    [workspace, ids],
  );
  return new Map(rows.map((server) => [server.id, server]));
};

/** A chunk may cut a line in two, and the last chunk may be only a line break. */
const CHUNKS = 3;
const MAX_CHARACTERS = 2000;

/** The last output of each run. */
export const endsOfOutput = async (db: Pool, runs: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await db.query<{ run: string; text: string }>({
    name: 'fleet-ends-of-output',
    text: `
      select r.run, right(string_agg(o.text, '' order by o.seq), ${MAX_CHARACTERS}) as text
      from unnest($1::uuid[]) as r(run)
      cross join lateral (
        select seq, text from app.run_output where run = r.run order by seq desc limit ${CHUNKS}) o
      group by r.run`,
    values: [runs],
  });
  return new Map(rows.map(({ run, text }) => [run, text]));
};

export const outputOf = async (db: Pool, run: string): Promise<string> => {
  const { rows } = await db.query<{ text: string | null }>(
    `select string_agg(text, '' order by seq) as text from app.run_output where run = $1`,
    [run],
  );
  return rows[0]?.text ?? '';
};
