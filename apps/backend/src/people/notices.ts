/**
 * Which notices a person has seen or dismissed. Stored as rows, not as events, because they concern only this person
 * and not the workspace.
 */
import type { Answer, InputOf, notices as noticeCalls } from '@quarterdeck/contract';
import type { Pool } from 'pg';

/** Older notices are about problems that ended long ago. */
const MAX_REMEMBERED = 2000;

export const rememberedNotices = async (
  db: Pool,
  person: string,
): Promise<Answer<typeof noticeCalls.memory>> => {
  const { rows } = await db.query<Answer<typeof noticeCalls.memory>[number]>({
    name: 'notices-remembered',
    text: 'select notice as id, mark, state from app.notice_memory where person = $1 order by notice',
    values: [person],
  });
  return rows;
};

export const rememberNotices = async (
  db: Pool,
  { person, workspace }: { person: string; workspace: string },
  { notices, state }: InputOf<typeof noticeCalls.remember>,
): Promise<void> => {
  // A dismissed notice stays dismissed when another browser shows it for the first time.
  await db.query(
    `insert into app.notice_memory as known (person, workspace, notice, mark, state, at)
     select distinct on (x.id) $1::uuid, $2, x.id, x.mark, $4, clock_timestamp()
     from jsonb_to_recordset($3::jsonb) as x (id text, mark text)
     on conflict (person, notice) do update set mark = excluded.mark, state = excluded.state, at = excluded.at
       where known.mark <> excluded.mark or known.state = 'seen'`,
    [person, workspace, JSON.stringify(notices), state],
  );
  await db.query(
    `delete from app.notice_memory where person = $1 and notice in (
       select notice from app.notice_memory where person = $1 order by at desc, notice offset ${MAX_REMEMBERED})`,
    [person],
  );
};
