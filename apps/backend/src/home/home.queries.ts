/** Data of the home page besides the lists of servers and domains. */
import { runReason, type RunView, type PersonView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { fleetInput } from '../fleet';
import { inView } from '../platform/in-view';
import { BRIEF_RUN } from '../runs';

const run = inView<RunView>('view');
const later = inView<RunView>('later.view');

const MAX_RUNS = 100;

type Unsuccessful = RunView & { times: number };

/**
 * The newest run of each kind of work on each subject, if it failed or was interrupted and ended after `since`, with how
 * often it ended so in a row for the same reason. A later run of the same work replaces it. A run over many servers is its
 * own subject: a later run replaces it if it repeats it, or does the same on at least the same servers. A deploy is replaced
 * by a later one of its service on its server, whatever the version, and by a stop.
 */
export const unsuccessfulRuns = async (
  db: Pool,
  workspace: string,
  since: string,
): Promise<Unsuccessful[]> => {
  const { rows } = await db.query<{ view: RunView }>({
    name: 'home-runs',
    text: `
      with failed as (
        select id, kind, "subjectId", "serverId", ${run.text('label')} as label, ${run.json('input')} as input,
          "requestedPosition" as position,
          ${BRIEF_RUN} as view
        from read.runs
        where workspace = $1 and parent = '' and state in ('failed', 'interrupted')
          and ${run.text('endedAt')} > $2
        order by "requestedPosition" desc limit ${MAX_RUNS})
      select view from failed f
      where not exists (
        select from read.runs later
        where later.workspace = $1 and later."subjectId" = f."subjectId" and later."requestedPosition" > f.position
          and later.parent = ''
          and not (later.kind = f.kind and later.state in ('failed', 'interrupted'))
          and case when f.kind = 'deployService'
            then later.kind in ('deployService', 'stopService') and later."serverId" = f."serverId"
            else later.kind = f.kind and ${later.text('label')} = f.label end)
      and not (kind = 'fleet' and exists (
        select from read.runs later
        where later.workspace = $1 and later."requestedPosition" > f.position and later.kind = 'fleet'
          and later.state not in ('failed', 'interrupted')
          and (${later.text('input', 'rerunOf')} = f.id::text
            or ${later.text('label')} = f.label and ${later.json('input', 'servers')} @> (f.input->'servers'))))
      order by position desc`,
    values: [workspace, since],
  });
  return inARow(rows.map(({ view }) => view));
};

/** Whether the later run does the work of the earlier one again. */
const repeats = (later: RunView, earlier: RunView): boolean => {
  if (later.kind !== earlier.kind) return false;
  if (later.kind === 'fleet') {
    const { servers, rerunOf } = fleetInput(later);
    const all = new Set(servers.map(({ id }) => id));
    return (
      rerunOf === earlier.id ||
      (later.label === earlier.label && fleetInput(earlier).servers.every(({ id }) => all.has(id)))
    );
  }
  const isSame =
    later.kind === 'deployService' ? later.serverId === earlier.serverId : later.label === earlier.label;
  return isSame && later.subject.id === earlier.subject.id;
};

/** The newest run of each work. @param runs newest first */
const inARow = (runs: readonly RunView[]): Unsuccessful[] => {
  const works: { again: RunView[]; times: number; isOver: boolean }[] = [];
  for (const run of runs) {
    const work = works.find(({ again }) => again.some((later) => repeats(later, run)));
    if (!work) {
      works.push({ again: [run], times: 1, isOver: false });
      continue;
    }
    work.isOver ||= work.again.some((later) => runReason(later) !== runReason(run));
    work.again.push(run);
    if (!work.isOver) work.times += 1;
  }
  return works.flatMap(({ again: [newest], times }) => (newest ? [{ ...newest, times }] : []));
};

interface Counts {
  products: number;
  /** Members who have signed in. An unused sign-in link creates a member too. */
  arrived: number;
  invitations: number;
}

export const countsOf = async (db: Pool, workspace: string): Promise<Counts> => {
  const { rows } = await db.query<Counts>({
    name: 'home-counts',
    text: `
      select (select count(*)::int from read.products where workspace = $1) as products,
        (select count(*)::int from read.people 
          where workspace = $1 and "removedAt" is null and ${inView<PersonView>('view').text('lastSignInAt')} is not null) as arrived,
        (select count(*)::int from read.invitations where workspace = $1) as invitations`,
    values: [workspace],
  });
  return rows[0] ?? { products: 0, arrived: 0, invitations: 0 };
};
