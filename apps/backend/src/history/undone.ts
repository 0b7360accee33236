/** Which events undid another one. The cause of such an event is the other; usually it is a command, a run or a trigger. */
import { same, type HistoryView } from '@quarterdeck/projections';
import { validate, version } from 'uuid';
import { correlationOf } from '../platform/http';
import type { Queries } from './history-filter';

/** An event further back than this in its stream is not looked for: a page has to stay fast. */
const MAX_LOOKED_AT = 200;

/** An id of version 7 begins with its time in milliseconds. */
const timeOfId = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);
/** A command gets its id when its call begins, and its time right after it. */
const SAME_CALL_MS = 5;

const isOfOwnCommand = ({ causationId, correlationId, at }: HistoryView): boolean => {
  if (!validate(causationId) || causationId === correlationId) return true;
  if (correlationId === correlationOf(causationId)) return true;
  return version(causationId) === 7 && Math.abs(timeOfId(causationId) - Date.parse(at)) <= SAME_CALL_MS;
};

export type Undone = NonNullable<HistoryView['undoes']>;

/** @returns what these events undid, by the id of the undone event, which is their cause */
export const undoneBy = async (
  db: Queries,
  events: readonly HistoryView[],
): Promise<ReadonlyMap<string, Undone>> => {
  const caused = events.filter((event) => !isOfOwnCommand(event));
  if (caused.length === 0) return new Map();
  const { rows } = await db.query<{ cause: string } & Undone>(
    // The columns themselves: putting the whole view together takes longer than all the rest.
    `with event as materialized (
       select position, workspace, subject, cause
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as event(position, workspace, subject, cause)
       where not exists (select from read.subjects s where s.id = 'run-' || cause)
     )
     select event.cause, undone.type, undone.says, undone.actor
     from event cross join lateral (
       select earlier.type, earlier.says, earlier.actor from (
         select h.id, h.type, h.says, h.actor from read.history h
         where ${same('h.workspace', 'event.workspace')} and ${same('h."subjectId"', 'event.subject')}
           and h.position < event.position
         order by h.position desc limit ${MAX_LOOKED_AT}
       ) earlier
       where earlier.id = event.cause limit 1
     ) undone`,
    [
      caused.map(({ position }) => position),
      caused.map(({ workspace }) => workspace),
      caused.map(({ subjectId }) => subjectId),
      caused.map(({ causationId }) => causationId),
    ],
  );
  return new Map(rows.map(({ cause, ...undone }) => [cause, undone]));
};
