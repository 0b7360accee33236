import type { ServerView, RunView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView } from '../platform/in-view';

const run = inView<RunView>('r.view');

/**
 * Adds the newest run of each server, which the server's own stream does not contain. Runs of its domains count too,
 * because they work on the server.
 */
const SELECT = `
  select s.view || case when r.id is null then '{}'::jsonb else jsonb_build_object('lastRun', jsonb_build_object(
    'id', r.id, 'kind', r.kind, 'label', ${run.json('label')}, 'state', r.state, 'at', ${run.json('requestedAt')})) end as view
  from read.servers s
  left join lateral (
    select id, kind, state, view from read.runs
    where workspace = s.workspace and "serverId" <> '' and "serverId" = s.id collate "default"
    order by "requestedPosition" desc limit 1) r on true
  where s.workspace = $1`;

export const listServers = async (db: Pool, workspace: string): Promise<ServerView[]> => {
  const { rows } = await db.query<{ view: ServerView }>({
    name: 'servers-list',
    text: `${SELECT} order by lower(s.alias), s.id`,
    values: [workspace],
  });
  return rows.map(({ view }) => view);
};

export const serverDetail = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<ServerView | undefined> => {
  const { rows } = await db.query<{ view: ServerView }>({
    name: 'servers-detail',
    text: `${SELECT} and s.id = $2`,
    values: [workspace, id],
  });
  return rows[0]?.view;
};

/**
 * Servers of all workspaces that hold an alias but are not in the read model. A removal releases the alias last, and a
 * server that is being registered, or is not in the read model yet, holds an alias too.
 */
export const unseenHolders = async (db: Pool): Promise<{ id: string; workspace: string }[]> => {
  const { rows } = await db.query<{ id: string; workspace: string }>({
    name: 'servers-unseen-holders',
    text: `select distinct c.holder as id, split_part(c.scope, ':', 2) as workspace from app.claims c
      where c.scope like 'server-alias:%' and not exists (select from read.servers s where s.id = c.holder)`,
  });
  return rows;
};
