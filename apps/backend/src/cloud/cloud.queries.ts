/** Reads what the console knows about cloud accounts. */
import type { Answer, cloud } from '@quarterdeck/contract';
import type {
  CloudAccountView,
  CloudDatabaseView,
  DropletView,
  StoredDroplet,
} from '@quarterdeck/projections';
import { inView } from '../platform/in-view';
import type { Pool } from '../platform/tokens';
import type { Limits, ProviderKey, Zone } from './provider';

const droplet = inView<StoredDroplet>('view');

export interface Seen {
  seenAt?: string;
  problem?: string;
  limits?: Limits;
}

interface LookRow {
  seen_at: Date | null;
  problem: string | null;
  limits: Limits | null;
}

/** @param since ISO, of the connection: what failed before was about another token */
export const seenOf = async (db: Pool, workspace: string, since?: string): Promise<Seen> => {
  const { rows } = await db.query<LookRow>(
    `select seen_at, case when $2::timestamptz is null or tried_at > $2::timestamptz then problem end as problem, limits
     from app.cloud_looks where workspace = $1`,
    [workspace, since ?? null],
  );
  const [row] = rows;
  return {
    ...(row?.seen_at && { seenAt: row.seen_at.toISOString() }),
    ...(row?.problem && { problem: row.problem }),
    ...(row?.limits && { limits: row.limits }),
  };
};

export const lastSeen = async (
  db: Pool,
  workspace: string,
): Promise<{ zones: Zone[]; keys: ProviderKey[] }> => {
  const { rows } = await db.query<{ zones: Zone[] | null; keys: ProviderKey[] | null }>(
    'select zones, keys from app.cloud_looks where workspace = $1',
    [workspace],
  );
  return { zones: rows[0]?.zones ?? [], keys: rows[0]?.keys ?? [] };
};

export const accountOf = async (db: Pool, workspace: string): Promise<CloudAccountView | undefined> => {
  const { rows } = await db.query<{ view: CloudAccountView }>(
    'select view from read.cloud_accounts where workspace = $1',
    [workspace],
  );
  return rows[0]?.view;
};

/** All that were ever seen, by id. */
export const seenAccount = async <V extends { id: string }>(
  db: Pool,
  table: 'droplets' | 'cloud_databases',
  workspace: string,
): Promise<Map<string, V>> => {
  const { rows } = await db.query<{ view: V }>(`select view from read.${table} where workspace = $1`, [
    workspace,
  ]);
  return new Map(rows.map(({ view }) => [view.id, view]));
};

const SHOWN = `view - ${droplet.keys('serverId')}`;

/** Those that are in the account. */
export const listDroplets = async (db: Pool, workspace: string): Promise<DropletView[]> => {
  const { rows } = await db.query<{ view: DropletView }>({
    name: 'droplets-list',
    text: `select ${SHOWN} as view from read.droplets where workspace = $1 and "goneAt" is null
      order by ${droplet.text('name')}, id`,
    values: [workspace],
  });
  return rows.map(({ view }) => view);
};

/** Also those that are gone. */
export const everyDroplet = async (db: Pool, workspace: string): Promise<DropletView[]> => {
  const { rows } = await db.query<{ view: DropletView }>(
    `select ${SHOWN} as view from read.droplets where workspace = $1 order by ${droplet.text('name')}, id`,
    [workspace],
  );
  return rows.map(({ view }) => view);
};

export const dropletDetail = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<DropletView | undefined> => {
  const { rows } = await db.query<{ view: DropletView }>(
    `select ${SHOWN} as view from read.droplets where workspace = $1 and id = $2`,
    [workspace, id],
  );
  return rows[0]?.view;
};

export const dropletsOfServer = async (db: Pool, workspace: string, server: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    'select id from read.droplets where workspace = $1 and "serverId" = $2',
    [workspace, server],
  );
  return rows.map(({ id }) => id);
};

const cluster = inView<CloudDatabaseView>('view');

/** In the specification's words. Not in JavaScript: there, copying a row without some fields takes 10 to 20 µs. */
const LISTED = `(view - ${cluster.keys('connection', 'dbNames', 'createdAt')}) || jsonb_strip_nulls(jsonb_build_object(
  'created_at', ${cluster.json('createdAt')}, 'db_names', ${cluster.json('dbNames')},
  'connection', ${cluster.json('connection')} || '{"password": "*******"}'))`;

type ListedCloudDatabase = Answer<typeof cloud.databaseList>[number];

/** Those that are in the account. */
export const listCloudDatabases = async (db: Pool, workspace: string): Promise<ListedCloudDatabase[]> => {
  const { rows } = await db.query<{ view: ListedCloudDatabase }>({
    name: 'cloud-databases-list',
    text: `select ${LISTED} as view from read.cloud_databases where workspace = $1 and "goneAt" is null
      order by ${cluster.text('name')}, id`,
    values: [workspace],
  });
  return rows.map(({ view }) => view);
};

/** Those that were associated as this database of the console. */
export const associatedAs = async (db: Pool, workspace: string, database: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `select id from read.cloud_databases where workspace = $1 and ${cluster.text('database')} = $2`,
    [workspace, database],
  );
  return rows.map(({ id }) => id);
};

/** What counts for a product, or is associated with it. */
export const thingsOfProduct = async (
  db: Pool,
  workspace: string,
  product: string,
): Promise<{ droplets: string[]; databases: { id: string; database: string }[] }> => {
  const [droplets, databases] = await Promise.all([
    db.query<{ id: string }>(
      `select id from read.droplets
       where workspace = $1 and "goneAt" is null and ${droplet.text('product')} = $2`,
      [workspace, product],
    ),
    db.query<{ id: string; database: string }>(
      `select id, ${cluster.text('database')} as database from read.cloud_databases
       where workspace = $1 and ${cluster.text('product', 'id')} = $2`,
      [workspace, product],
    ),
  ]);
  return { droplets: droplets.rows.map(({ id }) => id), databases: databases.rows };
};

interface Dangling {
  servers: string[];
  databases: string[];
  products: string[];
}

/** What associations point to and no read model has. It may be gone, or not be there yet. */
export const danglingAssociations = async (db: Pool, workspace: string): Promise<Dangling> => {
  const ids = async (text: string): Promise<string[]> =>
    (await db.query<{ id: string }>(text, [workspace])).rows.map(({ id }) => id);
  const [servers, databases, products] = await Promise.all([
    ids(`select distinct d."serverId" as id from read.droplets d
      left join read.servers s on s.workspace = d.workspace and s.id = d."serverId" and s."removedAt" is null
      where d.workspace = $1 and d."serverId" is not null and s.id is null`),
    ids(`select distinct associated as id
      from (select ${cluster.text('database')} as associated from read.cloud_databases where workspace = $1) as c
      left join read.databases b on b.workspace = $1 and b.id = associated and b."removedAt" is null
      where associated is not null and b.id is null`),
    ids(`select distinct associated as id from (
        select ${cluster.text('product', 'id')} as associated from read.cloud_databases where workspace = $1
        union all
        select ${droplet.text('product')} from read.droplets where workspace = $1 and "goneAt" is null
      ) as c
      left join read.products p on p.workspace = $1 and p.id = associated and p."removedAt" is null
      where associated is not null and p.id is null`),
  ]);
  return { servers, databases, products };
};

interface Marked {
  kind: 'droplet' | 'clouddatabase';
  id: string;
  name: string;
}

/** What the run made at the provider, and is still there. */
export const markedBy = async (db: Pool, workspace: string, run: string): Promise<Marked[]> => {
  const { rows } = await db.query<Marked>(
    `select 'droplet' as kind, id, ${droplet.text('name')} as name from read.droplets
       where workspace = $1 and "goneAt" is null and ${droplet.text('run')} = $2
     union all
     select 'clouddatabase', id, ${cluster.text('name')} from read.cloud_databases
       where workspace = $1 and "goneAt" is null and ${cluster.text('run')} = $2`,
    [workspace, run],
  );
  return rows;
};

/** Which of the runs have not ended. */
export const openRuns = async (
  db: Pool,
  workspace: string,
  runs: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await db.query<{ id: string }>(
    `select id from read.runs where workspace = $1 and id = any($2) and state not in ('succeeded', 'failed', 'cancelled', 'interrupted')`,
    [workspace, runs],
  );
  return new Set(rows.map(({ id }) => id));
};
