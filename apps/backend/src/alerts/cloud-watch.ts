/**
 * Raises an alert when the droplet of a server is gone or has another address, when the same happens to a database of a
 * product, and when a provider no longer accepts the token. It changes nothing: whether the server moves or goes, an
 * operator decides. Each such change has its own alert, so a dismissed one stays dismissed.
 */
import { cloudNames } from '@quarterdeck/events';
import type { CloudAccountView, CloudDatabaseView, StoredDroplet } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { inView } from '../platform/in-view';
import { Watch, type DueAlert, type OpenAlert } from './watch';

const NAMESPACE = 'b7a1d8b4-6d0e-4d3c-9a55-51f0a3f1c7e2';

const droplet = inView<StoredDroplet>('d.view');
const account = inView<CloudAccountView>('view');
const cluster = inView<CloudDatabaseView>('c.view');

/** Servers whose droplet is gone, or no longer has their address. */
const SERVERS = `
  select s.workspace, s.id, s.alias, s.host, d."goneAt" as gone, former ->> 'lostAt' as lost,
    ${droplet.json('networks', 'v4')} -> -1 ->> 'ip_address' as ip
  from read.droplets d
  join read.servers s on s.workspace = d.workspace and s.id = d."serverId" and s."removedAt" is null
  left join lateral jsonb_array_elements(coalesce(${droplet.json('formerIps')}, '[]')) as former
    on former ->> 'ip' = s.host
  where d."goneAt" is not null or former is not null`;

/** Databases of products whose cluster is gone, has another name, or no longer has their host or their name. */
const DATABASES = `
  select b.workspace, b.id, b.name, b.product, p.name as "productName", c."goneAt" as gone, former,
    ${cluster.text('name')} as cluster, ${cluster.text('connection', 'host')} as host
  from read.cloud_databases c
  join read.databases b
    on b.workspace = c.workspace and b.id = ${cluster.text('database')} and b."removedAt" is null
  join read.products p on p.workspace = b.workspace and p.id = b.product and p."removedAt" is null
  left join lateral jsonb_array_elements(
      coalesce(${cluster.json('former')}, '[]') || case
        when ${cluster.text('associatedAs')} <> ${cluster.text('name')} then jsonb_build_array(jsonb_build_object(
          'what', 'cluster', 'value', ${cluster.text('associatedAs')}, 'lostAt', ${cluster.text('name')}))
        else '[]' end) as former
    on former ->> 'value' = case former ->> 'what'
      when 'host' then b.host when 'database' then b.name else former ->> 'value' end
  where c."goneAt" is not null or former is not null`;

const ACCOUNTS = `
  select workspace, id, ${account.text('cloud')} as cloud, position, refused
  from read.cloud_accounts where refused is not null`;

interface AffectedServer {
  workspace: string;
  id: string;
  alias: string;
  host: string;
  gone: string | null;
  lost: string | null;
  ip: string | null;
}

interface AffectedDatabase {
  workspace: string;
  id: string;
  name: string;
  product: string;
  productName: string;
  gone: string | null;
  /** For a cluster that was renamed, its present name stands for the time. */
  former: { what: 'cluster' | 'host' | 'database'; value: string; lostAt: string } | null;
  cluster: string;
  host: string | null;
}

interface RefusedAccount {
  workspace: string;
  id: string;
  cloud: CloudAccountView['cloud'];
  /** Of the refusal: a token may be refused more than once. */
  position: string;
  refused: string;
}

const ofServer = (server: AffectedServer): [id: string, wanted: DueAlert] => {
  const { workspace, id, alias, host, gone, lost, ip } = server;
  const subject = { kind: 'server', id, name: alias };
  if (gone !== null) {
    const says = `The droplet of ${alias} is no longer in the account. The server stays here until you remove it.`;
    return [
      uuidv5(`${id} ${gone}`, NAMESPACE),
      { workspace, raised: { subject, about: 'machineGone', says } },
    ];
  }
  const now = ip === null ? 'It has no address now.' : `It has ${ip} now.`;
  const says = `The droplet of ${alias} no longer has the address ${host}. ${now} Change the address of the server if it moves along.`;
  return [
    uuidv5(`${id} ${host} ${lost}`, NAMESPACE),
    { workspace, raised: { subject, about: 'machineMoved', says } },
  ];
};

const lossOf = ({ name, former, cluster: now, host }: AffectedDatabase): string => {
  switch (former?.what) {
    case 'host':
      return `no longer has the host ${former.value}. ${host === null ? 'It has none now.' : `It has ${host} now.`} Change the host of the database if it moves along.`;
    case 'database':
      return `no longer contains ${name}. Change the name of the database if it was renamed.`;
    default:
      return `was renamed from ${former?.value} to ${now}. Nothing was changed here.`;
  }
};

const ofDatabase = (database: AffectedDatabase): [id: string, wanted: DueAlert] => {
  const { workspace, id, name, product, productName, gone, former } = database;
  const subject = { kind: 'product', id: product, name: productName };
  if (gone !== null) {
    const says = `The cloud database of ${name} in ${productName} is no longer in the account. The database stays here until you delete it.`;
    return [
      uuidv5(`${id} ${gone}`, NAMESPACE),
      { workspace, raised: { subject, about: 'cloudDatabaseGone', says } },
    ];
  }
  const says = `The cloud database of ${name} in ${productName} ${lossOf(database)}`;
  return [
    uuidv5(`${id} ${former?.what} ${former?.value} ${former?.lostAt}`, NAMESPACE),
    { workspace, raised: { subject, about: 'cloudDatabaseMoved', says } },
  ];
};

const ofAccount = ({ workspace, id, cloud, position, refused }: RefusedAccount): [string, DueAlert] => [
  uuidv5(`${id} ${position}`, NAMESPACE),
  {
    workspace,
    raised: {
      subject: { kind: 'cloudaccount', id, name: cloudNames[cloud] },
      about: 'cloudRefused',
      says: `${refused}.`,
    },
  },
];

const REASONS: Readonly<Record<string, string>> = {
  cloudDatabaseGone: 'the database was deleted here',
  cloudDatabaseMoved: 'the database and the one at the provider are the same again, or it was deleted here',
  cloudRefused: 'the token is accepted again, or another one was connected, or the account was disconnected',
  machineGone: 'the server was removed',
  machineMoved: 'the server has an address of its droplet again, or was removed',
};

export class CloudWatch extends Watch {
  /** A fallback only: events trigger the look whenever something has changed. */
  protected readonly everyMs = 5 * 60_000;
  protected override readonly after = [
    'DropletChanged',
    'DropletAssociated',
    'DropletReleased',
    'DropletVanished',
    'ServerMoved',
    'ServerRemoved',
    'ServerRestored',
    'CloudConnected',
    'CloudTokenRefreshed',
    'CloudTokenRefused',
    'CloudTokenAccepted',
    'CloudDisconnected',
    'CloudDatabaseAssociated',
    'CloudDatabaseChanged',
    'CloudDatabaseReleased',
    'CloudDatabaseVanished',
    'DatabaseRevised',
    'DatabaseRemoved',
    'DatabaseRestored',
    'ProductRemoved',
    'ProductRestored',
  ];

  protected async settle(): Promise<void> {
    const { db } = this.deps;
    const [servers, databases, accounts, open] = await Promise.all([
      db.query<AffectedServer>(SERVERS),
      db.query<AffectedDatabase>(DATABASES),
      db.query<RefusedAccount>(ACCOUNTS),
      this.openAlerts(Object.keys(REASONS) as OpenAlert['about'][]),
    ]);
    const wanted = new Map([
      ...servers.rows.map(ofServer),
      ...databases.rows.map(ofDatabase),
      ...accounts.rows.map(ofAccount),
    ]);
    await this.reconcile(open, wanted, (about) => REASONS[about] ?? '');
  }
}
