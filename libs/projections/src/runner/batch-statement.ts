/**
 * Writes one batch in one statement: rows of every projection, parked streams, the position, notification. All of it or
 * nothing.
 */
import type { Position } from '@quarterdeck/events';
import { COLUMNS } from './checkpoints';
import type { Folded, Parked } from './fold';
import type { Row } from './row';
import type { LaneName } from './lanes';
import { PROJECTED_CHANNEL, PROJECTED_LATER_CHANNEL } from './schema';
import { inBuild, writeRows, type Target, type WriteMode } from './tables';

export interface Change {
  target: Target;
  folded: Folded;
}

export interface Move {
  lane: LaneName;
  from: Position;
  to: Position;
  eventAt: string;
  fence: string;
}

export interface Statement {
  text: string;
  values: unknown[];
}

type Entry = [id: string, row: Row | null];

export const asJson = (rows: Iterable<Entry>): string => {
  const stored = [];
  for (const [id, row] of rows) if (row) stored.push({ id, ...row });
  return JSON.stringify(stored);
};

/** If the fence or the position differs, the statement returns no row and writes nothing. */
const moveOf = (lane: LaneName): string => {
  const { position, eventAt, updatedAt } = COLUMNS[lane];
  return `moved as (
  update read.live set ${position} = $2::bigint, ${eventAt} = $3::timestamptz, ${updatedAt} = clock_timestamp()
  where fence = $4::bigint and ${position} = $1::bigint returning 1),
go as (select 1 from moved)`;
};

const CHANNELS: Readonly<Record<LaneName, string>> = {
  now: PROJECTED_CHANNEL,
  later: PROJECTED_LATER_CHANNEL,
};

const PARK = (
  parameter: string,
) => `insert into read.parked (projection, stream, position, type, error, skipped)
  select p.* from go, jsonb_to_recordset(${parameter}::jsonb)
    as p(projection text, stream text, position bigint, type text, error text, skipped bigint)
  on conflict (projection, stream) do update set skipped = parked.skipped + excluded.skipped`;

/** @param tells whether another process has to be told */
export function batchStatement(changes: readonly Change[], move: Move, tells: boolean): Statement {
  const values: unknown[] = [move.from, move.to, move.eventAt, move.fence];
  const parts = [moveOf(move.lane)];
  const add = (part: (parameter: string) => string, value: unknown) => {
    values.push(value);
    parts.push(`part${parts.length} as (${part(`$${values.length}`)})`);
  };
  const parked: Parked[] = [];
  for (const { target, folded } of changes) {
    parked.push(...folded.parked.values());
    const entries = [...folded.changed];
    const kept = entries.filter(([, row]) => row !== null);
    const write = (mode: WriteMode, rows: Entry[]) => {
      if (rows.length > 0)
        add((parameter) => writeRows(target, mode, parameter, { gate: 'go,' }), asJson(rows));
    };
    write(
      'upsert',
      kept.filter(([key]) => !folded.guessed.has(key)),
    );
    write(
      'insert',
      kept.filter(([key]) => folded.guessed.has(key)),
    );
    const gone = entries.filter(([, row]) => row === null).map(([key]) => key);
    if (gone.length > 0)
      add(
        (parameter) => `delete from ${inBuild(target.table)} using go where id = any(${parameter}::text[])`,
        gone,
      );
  }
  if (parked.length > 0) add(PARK, JSON.stringify(parked));
  const told = tells ? `pg_notify('${CHANNELS[move.lane]}', $2::text)` : '1';
  const text = `with ${parts.join(',\n')}\nselect ${told} from go`;
  return { text, values };
}
