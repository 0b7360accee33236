/** What superadmins see of all workspaces: counts, people and runs, no content. */
import {
  same,
  sameAsAny,
  type InstallationEvent,
  type Membership,
  type PersonSummary,
  type RunSummary,
  type WorkspaceSummary,
  type HistoryView,
  type PersonView,
  type RunView,
  type WorkspaceView,
} from '@quarterdeck/projections';
import type { superadminRuns } from '@quarterdeck/events/inputs';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { inView } from '../platform/in-view';
import { FOUND_FIRST, matchesOf } from '../runs';

const workspace = inView<WorkspaceView>('w.view');
const person = inView<PersonView>('p.view');
const run = inView<RunView>('r.view');

const countOf = (readModel: string, condition = ''): string =>
  `(select count(*)::int from read.${readModel} r where r.workspace = w.id collate "default" ${condition}) as ${readModel}`;
const members = `and ${inView<PersonView>('r.view').text('removedAt')} is null`;

export const listWorkspaces = async (db: Pool): Promise<WorkspaceSummary[]> => {
  const { rows } = await db.query<Omit<WorkspaceSummary, 'lastUsedAt'> & { lastUsedAt: Date | null }>(
    `select w.id, ${workspace.text('name')} as name, ${workspace.text('createdAt')} as "createdAt",
       ${countOf('people', members)}, ${countOf('servers')}, ${countOf('domains')}, ${countOf('runs')},
       greatest(
         (select max(seen_at) from app.sessions s where s.workspace = w.id::uuid),
         (select max(${person.text('lastSignInAt')}::timestamptz) from read.people p where p.workspace = w.id collate "default")
       ) as "lastUsedAt"
     from read.workspaces w order by lower(${workspace.text('name')})`,
  );
  return rows.map(({ lastUsedAt, ...row }) => ({
    ...row,
    ...(lastUsedAt ? { lastUsedAt: lastUsedAt.toISOString() } : {}),
  }));
};

interface PersonRow {
  id: string;
  name: string | null;
  email: string | null;
  memberships: (Omit<Membership, 'lastSignInAt'> & { lastSignInAt: string | null })[];
}

export const listPeople = async (db: Pool): Promise<PersonSummary[]> => {
  const { rows } = await db.query<PersonRow>(
    `select coalesce(lower(r.email), p.id) as id, max(r.name) as name, max(r.email) as email,
       json_agg(json_build_object(
         'person', p.id, 'workspace', json_build_object('id', w.id, 'name', ${workspace.text('name')}),
         'role', p.role, 'joinedAt', ${person.text('joinedAt')}, 'lastSignInAt', ${person.text('lastSignInAt')}
       ) order by lower(${workspace.text('name')}), p.id) as memberships
     from read.people p
       join read.workspaces w on w.id = p.workspace
       left join app.person_records r on r.id = p.id::uuid
     where ${person.text('removedAt')} is null
     group by 1 order by coalesce(max(r.name), max(r.email), ''), 1`,
  );
  return rows.map(({ id, name, email, memberships }) => ({
    id,
    ...(name === null ? {} : { name }),
    ...(email === null ? {} : { email }),
    memberships: memberships.map(({ lastSignInAt, ...one }) => ({
      ...one,
      ...(lastSignInAt === null ? {} : { lastSignInAt }),
    })),
  }));
};

const PAGE = 50;

interface RunRow extends Omit<RunSummary, 'startedAt' | 'endedAt'> {
  startedAt: string | null;
  endedAt: string | null;
  position: string;
}

/**
 * Newest first, without parts of runs. The index finds the newest of each workspace, and the results are merged. A search
 * looks in all workspaces at once.
 */
export const listRuns = async (
  db: Pool,
  { state, search = '', before }: z.infer<typeof superadminRuns>,
): Promise<{ runs: RunSummary[]; next?: string }> => {
  const values: (string | null)[] = [state ?? null, before ?? null];
  const matches = matchesOf(search, (word) => `$${values.push(word)}`);
  const wanted = `select * from read.runs
    where parent = '' and ($1::text is null or state = $1) and ($2::bigint is null or "requestedPosition" < $2)`;
  const source =
    matches === ''
      ? `read.workspaces w cross join lateral (${wanted} and workspace = w.id collate "default"
          order by "requestedPosition" desc limit ${PAGE + 1}) r`
      : `(${wanted} and ${matches} ${FOUND_FIRST} limit ${PAGE + 1}) r
          join read.workspaces w on r.workspace = w.id collate "default"`;
  const { rows } = await db.query<RunRow>(
    `select r.id, json_build_object('id', w.id, 'name', ${workspace.text('name')}) as workspace,
       ${run.text('label')} as label, ${run.text('subject', 'name')} as subject, r.state,
       ${run.text('requestedAt')} as "requestedAt", coalesce(p.shown_as, ${run.text('requestedBy')}) as "requestedBy",
       ${run.text('startedAt')} as "startedAt", ${run.text('endedAt')} as "endedAt", r."requestedPosition" as position
     from ${source}
       left join app.person_records p on p.id::text = ${run.text('requestedBy')}
     order by r."requestedPosition" desc limit ${PAGE + 1}`,
    values,
  );
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  const runs = shown.map(({ position: _position, startedAt, endedAt, ...row }) => ({
    ...row,
    ...(startedAt === null ? {} : { startedAt }),
    ...(endedAt === null ? {} : { endedAt }),
  }));
  return rows.length > PAGE && last ? { runs, next: last.position } : { runs };
};

const EVENTS = 50;
/** Events that end maintenance. */
const ends = ['RebuildFinished', 'VerificationFinished', 'MaintenanceFailed', 'MaintenanceCancelled'];

const INSTALLATION_EVENTS = `
  select h.position, h.type, ${inView<HistoryView>('h.view').text('at')} as at, coalesce(p.shown_as, h.actor) as by, h.says
  from read.history h left join app.person_records p on p.id::text = h.actor
  where ${same('h.workspace', `'-'`)}`;

/** Actions on the installation itself, newest first. */
export const listInstallationEvents = async (db: Pool): Promise<InstallationEvent[]> =>
  (await db.query<InstallationEvent>(`${INSTALLATION_EVENTS} order by h.position desc limit ${EVENTS}`)).rows;

export const lastMaintenance = async (db: Pool): Promise<InstallationEvent | undefined> => {
  const ended = sameAsAny('h.type', ['$1', '$2', '$3', '$4']);
  const text = `${INSTALLATION_EVENTS} and ${ended} order by h.position desc limit 1`;
  return (await db.query<InstallationEvent>(text, ends)).rows[0];
};
