import type { RunView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { runList } from '@quarterdeck/events/inputs';
import { inView } from '../platform/in-view';
import { withLine } from './run-line.queries';
import { COMPARED, FOUND_FIRST, matchesOf } from './run-search';

const run = inView<RunView>('view');
/** The view without long inputs, such as a configuration. Only the detail includes them. */
export const BRIEF_RUN = ['text', 'site', 'edits', 'actual'].reduce(
  (view, key) => `${view} #- ${run.path('input', key)}`,
  'view',
);

const PAGE = 50;

type RunListQuery = z.infer<typeof runList>;

export const listRuns = async (
  db: Pool,
  workspace: string,
  { subject, state, kind, requestedBy, parent, script, ids, search = '', before, limit = PAGE }: RunListQuery,
): Promise<{ runs: RunView[]; next?: string }> => {
  const values = [
    workspace,
    subject?.id ?? null,
    subject?.kind ?? null,
    state ?? null,
    kind ?? null,
    requestedBy ?? null,
    // For a server or another subject, all its runs are listed. Elsewhere parts are shown under their parent run.
    parent ?? (subject || ids ? null : ''),
    script ?? null,
    before ?? null,
    limit + 1,
    ids ?? null,
  ];
  const matches = matchesOf(search, (word) => `$${values.push(word)}`) || 'true';
  const wanted = `select * from read.runs
     where workspace = $1
       and ($2::text is null or case when $3 = 'server' then "serverId" <> '' and "serverId" = $2
         else "subjectId" = $2 and ${run.text('subject', 'kind')} = $3 end)
       and ($4::text is null or state = $4)
       and ($5::text is null or kind = $5)
       and ($6::text is null or ${run.text('requestedBy')} = $6)
       and ($7::text is null or parent = $7)
       and ($8::text is null or ${run.text('input', 'script')} = $8)
       and ($9::bigint is null or "requestedPosition" < $9)
       and ($11::text[] is null or id = any($11))`;
  const newest = 'order by "requestedPosition" desc';
  const found = async (among: string, order: string): Promise<RunView[]> => {
    const { rows } = await db.query<{ view: RunView }>(
      `select ${withLine(BRIEF_RUN)} as view from (${among}) u where ${matches} ${order} limit $10`,
      values,
    );
    return rows.map(({ view }) => view);
  };
  const compared = await found(search === '' ? wanted : `${wanted} ${newest} limit ${COMPARED}`, newest);
  const all = search === '' || compared.length > limit ? compared : await found(wanted, FOUND_FIRST);
  const runs = all.slice(0, limit);
  const last = runs.at(-1);
  return all.length > limit && last ? { runs, next: last.requestedPosition } : { runs };
};

export const runDetail = async (db: Pool, workspace: string, id: string): Promise<RunView | undefined> => {
  const { rows } = await db.query<{ view: RunView }>(
    `select ${withLine('view')} as view from read.runs u where workspace = $1 and id = $2`,
    [workspace, id],
  );
  return rows[0]?.view;
};
