/** Queries for domains. A domain's own stream does not contain alias and host of its server. */
import type { DomainRow, DomainView, Expiring, ServerView, LocationView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { KeptRows } from '../platform/database';
import { inView } from '../platform/in-view';

const domain = inView<DomainView>('view');
const joined = inView<DomainView>('d.view');
const server = inView<ServerView>('s.view');

/** The server may be removed a moment before its domains. */
const SERVER = `jsonb_build_object('server', jsonb_strip_nulls(jsonb_build_object(
  'id', d."serverId", 'alias', s.alias, 'host', s.host)))`;
const JOINED = 'read.domains d left join read.servers s on s.workspace = d.workspace and s.id = d."serverId"';

const lookedAt = (key: string, table: string): string => `coalesce((select jsonb_build_object('${key}',
    to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from app.${table} l where l.site = d.id::uuid), '{}'::jsonb)`;
const LOOKED_AT = `${lookedAt('lookedAt', 'site_looks')} || ${lookedAt('certificateLookedAt', 'certificate_looks')}`;

/** Inputs of the configuration besides the domain. */
const FOLDERS = `case when s.id is not null then jsonb_build_object(
  'path', ${server.json('path')}, 'root', ${server.json('root')}, 'nginxPath', ${server.json('nginxPath')}) end`;

/** Inputs of a configuration: a domain as it is listed, and the folders of its server. */
export interface Configured {
  domain: Pick<
    DomainRow,
    'serverName' | 'names' | 'server' | 'locations' | 'settings' | 'dns' | 'config' | 'certificate'
  >;
  folders: { path: string; root: string; nginxPath: string } | null;
}

/** A domain, with the data that show how much of it is not applied. */
export interface ListedRow extends Configured {
  domain: DomainRow;
}

/** Without texts and earlier states: a list of thousands contains only what a row shows. */
const kept = new KeptRows<ListedRow>({
  name: 'domains',
  from: JOINED,
  id: 'd.id',
  positions: ['d.position', 's.position'],
  row: `jsonb_build_object('domain', (d.view - ${joined.keys('configs', 'dnsHistory', 'led', 'away', 'issuances', 'refusals', 'left', 'drift')})
      #- ${joined.path('config', 'text')}
    || ${SERVER}
    || case when ${joined.json('drift')} is not null then jsonb_build_object('drift', jsonb_strip_nulls(jsonb_build_object(
         'at', ${joined.json('drift', 'at')}, 'sha256', ${joined.json('drift', 'found', 'sha256')}))) else '{}'::jsonb end,
    'folders', ${FOLDERS})`,
});

export const listDomains = (db: Pool, workspace: string): Promise<ListedRow[]> =>
  kept.read(db, {
    name: 'list',
    text: 'where d.workspace = $1 order by d."serverName", d.id',
    values: [workspace],
  });

export const listDomainsOfServer = (db: Pool, workspace: string, server: string): Promise<ListedRow[]> =>
  kept.read(db, {
    name: 'of-server',
    text: 'where d.workspace = $1 and d."serverId" = $2 order by d."serverName", d.id',
    values: [workspace, server],
  });

export const domainsOfServer = async (db: Pool, workspace: string, server: string): Promise<DomainRow[]> =>
  (await listDomainsOfServer(db, workspace, server)).map(({ domain }) => domain);

/** The live configurations of these domains, by id. Without those that have none. */
export const liveTexts = async (db: Pool, ids: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await db.query<{ id: string; text: string }>({
    name: 'domains-live-texts',
    text: `select id, ${domain.text('config', 'text')} as text from read.domains
      where id = any($1) and ${domain.text('config', 'text')} is not null`,
    values: [ids],
  });
  return new Map(rows.map(({ id, text }) => [id, text]));
};

interface DetailRow {
  domain: DomainView;
  folders: Configured['folders'];
}

/** With the folders of its server. */
export const domainWithFolders = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<DetailRow | undefined> => {
  const { rows } = await db.query<DetailRow>({
    name: 'domains-detail',
    text: `select d.view || ${SERVER} || ${LOOKED_AT} as domain, ${FOLDERS} as folders
      from ${JOINED} where d.workspace = $1 and d.id = $2`,
    values: [workspace, id],
  });
  return rows[0];
};

export const domainDetail = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<DomainView | undefined> => (await domainWithFolders(db, workspace, id))?.domain;

/** For all domains of the workspace, only the data that decide when a certificate expires. */
export const expiringOf = async (db: Pool, workspace: string): Promise<Expiring[]> => {
  const { rows } = await db.query<{ domain: Expiring }>({
    name: 'domains-expiring',
    text: `select jsonb_strip_nulls(jsonb_build_object('id', id, 'serverName', "serverName",
        'served', ${domain.json('served')}, 'certificate', ${domain.json('certificate')})) as domain
      from read.domains where workspace = $1`,
    values: [workspace],
  });
  return rows.map(({ domain }) => domain);
};

/** The data that decide whether an alert about a domain's certificate is due. */
export type ExpiringDomain = Pick<
  DomainView,
  'id' | 'workspace' | 'serverName' | 'thresholds' | 'served' | 'certificate'
>;

/** The domains with these ids, those of these workspaces, or all. Without texts and earlier states. */
export const expiringDomains = async (
  db: Pool,
  which: { domains: string[]; workspaces: string[] } | 'all',
): Promise<ExpiringDomain[]> => {
  const { rows } = await db.query<{ domain: ExpiringDomain }>(
    `select jsonb_strip_nulls(jsonb_build_object('id', d.id, 'workspace', d.workspace,
       'serverName', d."serverName", 'thresholds', ${joined.json('thresholds')}, 'served', ${joined.json('served')},
       'certificate', ${joined.json('certificate')})) as domain
     from read.domains d where $1 or d.id = any($2) or d.workspace = any($3)`,
    which === 'all' ? [true, [], []] : [false, which.domains, which.workspaces],
  );
  return rows.map(({ domain }) => domain);
};

/** The live configurations of a server's sites, by name. */
export const liveTextsOfServer = async (
  db: Pool,
  workspace: string,
  server: string,
): Promise<{ serverName: string; text: string }[]> => {
  const { rows } = await db.query<{ id: string; serverName: string }>({
    name: 'names-of-server',
    text: `
      select id, "serverName" from read.domains
      where workspace = $1 and "serverId" = $2 order by "serverName", id`,
    values: [workspace, server],
  });
  const texts = await liveTexts(
    db,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ id, serverName }) => {
    const text = texts.get(id);
    return text === undefined ? [] : { serverName, text };
  });
};

export interface WatchedDomain {
  id: string;
  workspace: string;
  serverName: string;
  serverId: string;
}

/** For all workspaces. */
export const domainsWithoutServer = async (db: Pool): Promise<WatchedDomain[]> => {
  const { rows } = await db.query<WatchedDomain>({
    name: 'domains-without-server',
    text: `select d.id, d.workspace, d."serverName", d."serverId" from ${JOINED} where s.id is null order by d.id`,
  });
  return rows;
};

/** For all workspaces, ordered by a hash, so that the domains of one zone are not next to each other. */
export const domainsToWatch = async (db: Pool): Promise<WatchedDomain[]> => {
  const { rows } = await db.query<WatchedDomain>({
    name: 'domains-to-watch',
    text: `select d.id, d.workspace, d."serverName", d."serverId" from ${JOINED} where s.id is not null order by md5(d.id)`,
  });
  return rows;
};

/** A site whose configuration is live, on a server that exists. */
export interface SiteToWatch {
  id: string;
  workspace: string;
}

const WATCHED_SITES = `${JOINED} where s.id is not null and ${joined.json('config')} is not null`;

/** For all workspaces, ordered by a hash, so that the sites of one server are not next to each other. */
export const sitesToWatch = async (db: Pool): Promise<SiteToWatch[]> => {
  const { rows } = await db.query<SiteToWatch>({
    name: 'sites-to-watch',
    text: `select d.id, d.workspace from ${WATCHED_SITES} order by md5(d.id)`,
  });
  return rows;
};

export interface WatchedSite extends SiteToWatch {
  serverName: string;
  server: string;
  host: string;
  ssl: boolean;
  sha256: string;
  text: string;
  locations: LocationView[];
  /** Other names of the site. Not all of them may be in the live configuration yet. */
  names?: NonNullable<DomainView['names']>;
  /** Who answered, as far as is known. */
  is?: NonNullable<DomainView['answer']>['is'];
  /** nginx on the server, in the newest probe of its health. */
  nginx?: string;
}

/** A site as it is now. Undefined if there is nothing to look at any more. */
export const watchedSite = async (db: Pool, id: string): Promise<WatchedSite | undefined> => {
  const { rows } = await db.query<{ site: WatchedSite }>({
    name: 'watched-site',
    text: `select jsonb_strip_nulls(jsonb_build_object('id', d.id, 'workspace', d.workspace,
        'serverName', d."serverName", 'server', d."serverId", 'host', s.host,
        'ssl', ${joined.json('config', 'options', 'ssl')}, 'sha256', ${joined.text('config', 'sha256')},
        'text', ${joined.text('config', 'text')}, 'locations', ${joined.json('locations')},
        'names', ${joined.json('names')},
        'is', ${joined.text('answer', 'is')},
        'nginx', (select h.nginx from app.health_samples h where h.server = d."serverId"::uuid and h.ok
          order by h.at desc limit 1))) as site
      from ${WATCHED_SITES} and d.id = $1`,
    values: [id],
  });
  return rows[0]?.site;
};

/** Kept longer than any round, so that a page can say when a site was last looked at. */
export const recordLook = (db: Pool, site: SiteToWatch): Promise<void> => looked(db, 'site_looks', site);

/** The site was asked for its certificate. */
export const recordCertificateLook = (db: Pool, site: SiteToWatch): Promise<void> =>
  looked(db, 'certificate_looks', site);

const looked = async (
  db: Pool,
  table: 'site_looks' | 'certificate_looks',
  { id, workspace }: SiteToWatch,
): Promise<void> => {
  await db.query({
    name: `looked-at-${table}`,
    text: `insert into app.${table} (site, workspace, at) values ($1, $2, clock_timestamp())
      on conflict (site) do update set at = excluded.at`,
    values: [id, workspace],
  });
};
