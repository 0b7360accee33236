/** Queries on the line: runs with a `linePosition` wait, and the holder of a claim is under way. */
import type { RunView } from '@quarterdeck/projections';
import { inView } from '../platform/in-view';
import type { Pool } from '../platform/tokens';
import { CHANGING } from './run-exclusive';
import { thingsOf, type RunRequest } from './run-kind';

const waiting = inView<RunView>('u.view');
const other = inView<RunView>('e.view');

/** Whether run `e` works on the same server or subject as run `u`. */
const SAME_THING = `e.workspace = u.workspace and e.id <> u.id
  and (e."subjectId" = u."subjectId" or u."serverId" <> '' and e."serverId" = u."serverId")`;

export interface InLine {
  /** Instant at which it joined the line. */
  since: string;
  /** Null: it waits without a limit. */
  waitMs: number | null;
  /** The next run ahead of it in line; null if it is the first. */
  ahead: string | null;
}

const PLACE = `
  select ${waiting.text('lineSince')} as since, ${waiting.text('waitMs')}::float8 as "waitMs",
    (select e.id from read.runs e
     where e.state = 'requested' and ${SAME_THING} and e."linePosition" < u."linePosition"
     order by e."linePosition" desc limit 1) as ahead
  from read.runs u where u.workspace = $1 and u.id = $2 and u.state = 'requested' and u."linePosition" is not null`;

/** @returns undefined if the run is not in line */
export const placeInLine = async (db: Pool, workspace: string, run: string): Promise<InLine | undefined> => {
  const query = { name: 'place-in-line', text: PLACE, values: [workspace, run] };
  return (await db.query<InLine>(query)).rows[0];
};

/** The first run that waits for one of the things that the request changes. */
export const firstInLine = async (
  db: Pool,
  workspace: string,
  request: RunRequest,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'first-in-line',
    text: `select id from read.runs
      where workspace = $1 and state = 'requested' and "linePosition" is not null
        and ("subjectId" = any($2) or "serverId" = any($2))
      order by "linePosition" limit 1`,
    values: [workspace, thingsOf(request).map(({ id }) => id)],
  });
  return rows[0]?.id;
};

/**
 * A view with what a waiting run waits for: the run that is under way, or else the next one ahead.
 * @param view an expression over the columns of `u`, a row of the runs
 */
export const withLine = (view: string): string => `
  case when u.state = 'requested' and u."linePosition" is not null then ${view} || coalesce((
    select jsonb_build_object('waitsFor', jsonb_build_object('id', e.id, 'label', ${other.text('label')},
      'of', ${other.text('subject', 'name')},
      'place', 1 + count(*) filter (where e."linePosition" < u."linePosition") over ()))
    from read.runs e
    left join app.claims c on c.scope = '${CHANGING}' and c.holder = e.id
      and c.key in (u.workspace || ' ' || ${waiting.text('subject', 'kind')} || '-' || u."subjectId",
        u.workspace || ' server-' || u."serverId")
    where e.state in ('requested', 'running') and ${SAME_THING}
      and (c.holder is not null or e."linePosition" < u."linePosition")
    order by c.holder is null, e."linePosition" desc limit 1), '{}') else ${view} end`;
