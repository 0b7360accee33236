import type { RunView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { runList } from '@quarterdeck/events/inputs';
import { inView } from '../platform/in-view';

const run = inView<RunView>('view');
/** Without what can be long in the input, such as a configuration: only the detail has it. */
export const BRIEF_RUN = ['text', 'site', 'edits', 'actual'].reduce(
  (view, key) => `${view} #- ${run.path('input', key)}`,
  'view',
);

const PAGE = 50;

export const listRuns = async (
  db: Pool,
  workspace: string,
  { subject, state, kind, requestedBy, parent, script, ids, before, limit = PAGE }: z.infer<typeof runList>,
): Promise<{ runs: RunView[]; next?: string }> => {
  const { rows } = await db.query<{ view: RunView }>(
    `select ${BRIEF_RUN} as view from read.runs
     where workspace = $1
       and ($2::text is null or case when $3 = 'server' then "serverId" <> '' and "serverId" = $2
         else "subjectId" = $2 and ${run.text('subject', 'kind')} = $3 end)
       and ($4::text is null or state = $4)
       and ($5::text is null or kind = $5)
       and ($6::text is null or ${run.text('requestedBy')} = $6)
       and ($7::text is null or parent = $7)
       and ($8::text is null or ${run.text('input', 'script')} = $8)
       and ($9::bigint is null or "requestedPosition" < $9)
       and ($11::text[] is null or id = any($11))
     order by "requestedPosition" desc limit $10`,
    [
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
    ],
  );
  const runs = rows.slice(0, limit).map(({ view }) => view);
  const last = runs.at(-1);
  return rows.length > limit && last ? { runs, next: last.requestedPosition } : { runs };
};

export const runDetail = async (db: Pool, workspace: string, id: string): Promise<RunView | undefined> => {
  const { rows } = await db.query<{ view: RunView }>(
    'select view from read.runs where workspace = $1 and id = $2',
    [workspace, id],
  );
  return rows[0]?.view;
};
