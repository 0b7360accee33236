/** Machines, databases and domains at a cloud provider. `digitalocean` is the provider's part of each path. */
import {
  byId,
  cloudCallback,
  cloudDatabaseAssociate,
  cloudDatabaseCreate,
  cloudDatabaseDelete,
  cloudKeyDelete,
  cloudRecordDelete,
  cloudRecordInsert,
  cloudRecordUpdate,
  cloudToken,
  costMonth,
  dropletAct,
  dropletAssociate,
  dropletCreate,
  dropletDelete,
  nothing,
  ofCloudDomain,
} from '@quarterdeck/events/inputs';
import { cloudAccountView, cloudDatabaseView, dropletView } from '@quarterdeck/projections';
import { z } from 'zod';
import { address, empty, ids, ignored, started } from './answers';
import { calls } from './call';
import { demo, newRunId, privateKey } from './demo';

/** What the last look at the provider said. */
const seen = {
  /** When all lists were last read. Absent: never. */
  seenAt: z.string().optional(),
  /** Why the last look failed. */
  problem: z.string().optional(),
  /** Calls of the account in an hour. */
  limits: z.strictObject({ limit: z.int(), remaining: z.int(), resetAt: z.string() }).optional(),
};

const state = z
  .strictObject({
    exists: z.boolean(),
    account: cloudAccountView.optional(),
    /** Whether signing in at the provider is set up; a personal token always works. */
    canSignIn: z.boolean(),
    /** The provider's page where people create tokens. */
    tokenPage: z.string(),
    ...seen,
  })
  .meta({ id: 'CloudState' });

const size = z.strictObject({
  slug: z.string(),
  description: z.string(),
  memory: z.int(),
  vcpus: z.int(),
  disk: z.int(),
  priceMonthly: z.number(),
  priceHourly: z.number(),
  regions: z.array(z.string()),
});
const options = z
  .strictObject({
    regions: z.array(z.strictObject({ slug: z.string(), name: z.string() })),
    sizes: z.array(size),
    images: z.array(z.strictObject({ slug: z.string(), name: z.string(), distribution: z.string() })),
    defaults: z.strictObject({ region: z.string(), size: z.string(), image: z.string() }),
  })
  .meta({ id: 'DropletOptions' });

const masked = z.strictObject({
  host: z.string(),
  database: z.string(),
  user: z.string(),
  /** Seven asterisks: `databases/password` shows it. */
  password: z.string(),
  port: z.int(),
});
/** In the specification's words, with the fields of the read model. */
const listedDatabase = cloudDatabaseView
  .omit({ connection: true, dbNames: true, createdAt: true })
  .extend({
    created_at: z.string(),
    db_names: z.array(z.string()).optional(),
    connection: masked.optional(),
  })
  .meta({ id: 'ListedCloudDatabase' });

const record = z.strictObject({
  record: z.int(),
  type: z.string(),
  /** Whole name. */
  host: z.string(),
  name: z.string(),
  data: z.string(),
  ttl: z.int(),
  priority: z.int().optional(),
});
const listedDomain = z
  .strictObject({
    name: z.string(),
    ttl: z.int().optional(),
    zone_file: z.string().optional(),
    /** The domain's page at the provider. */
    url: z.string(),
    /** A records of the zone file. */
    records: z.array(z.strictObject({ host: z.string(), ttl: z.int(), ip: z.string() })),
  })
  .meta({ id: 'CloudDomain' });

const resolved = z
  .strictObject({
    host: z.string(),
    /** What the zone says. */
    expected: z.array(z.string()),
    /** What the resolvers of the workspace say. */
    resolved: z.array(z.string()),
    same: z.boolean(),
    /** Why the name could not be looked up. */
    problem: z.string().optional(),
  })
  .meta({ id: 'ResolvedRecord' });

const named = z.strictObject({ id: z.string(), name: z.string() });
const orphans = z
  .strictObject({
    /** Droplets of the account that no server of the workspace knows. `run`: the run that left it, if it has ended. */
    droplets: z.array(
      named.extend({ ip: z.string().optional(), priceMonthly: z.number(), run: z.string().optional() }),
    ),
    /** Servers whose droplet is no longer in the account. */
    servers: z.array(named.extend({ droplet: z.string(), goneAt: z.string() })),
    /** SSH keys at the provider that a run has left there. */
    keys: z.array(
      z.strictObject({ key: z.int(), name: z.string(), fingerprint: z.string(), run: z.string() }),
    ),
    /** Databases that a run has left behind. */
    databases: z.array(named.extend({ run: z.string() })),
  })
  .meta({ id: 'CloudOrphans' });

const costs = z
  .strictObject({
    month: z.string(),
    /** USD, without taxes, traffic and backups. */
    total: z.number(),
    products: z.array(
      z.strictObject({
        /** Absent: machines that belong to no product. */
        product: z.string().optional(),
        name: z.string().optional(),
        amount: z.number(),
        droplets: z.array(named.extend({ amount: z.number(), gone: z.boolean() })),
      }),
    ),
  })
  .meta({ id: 'CloudCosts' });

const ofRecord = { domain: 'example.org', record: 28_448_429 } as const;
const ofShop = { type: 'A', name: 'shop', data: '203.0.113.7', ttl: 1800 } as const;

export const cloud = calls('digitalocean', 'admin', {
  exists: {
    summary: 'Whether the workspace has a token of the provider, and what is known about it',
    method: 'GET',
    path: 'token/exists',
    input: ignored,
    answer: state,
    shows: ['cloudAccounts', 'droplets', 'cloudDatabases'],
    volatile: true,
    timeless: true,
  },
  url: {
    summary: 'The address at the provider where the console is given access',
    method: 'GET',
    input: ignored,
    answer: address,
    timeless: true,
  },
  redirect: {
    summary: 'Takes the answer of the provider, and connects the account',
    input: cloudCallback,
    example: { state: 'state of the sign-in', code: 'code of the provider' },
    answer: ids,
    stales: 'cloudAccounts',
    costs: 'waiting',
    receipt: false,
    timeless: true,
  },
  connect: {
    summary: 'Connects the account with a personal token',
    path: 'token/update',
    input: cloudToken,
    example: { token: 'dop_v1_0123456789' },
    answer: ids,
    stales: 'cloudAccounts',
    costs: 'waiting',
  },
  disconnect: {
    summary: 'Removes the token, and revokes it at the provider if it came from there',
    path: 'token/delete',
    input: nothing,
    answer: z
      .strictObject({ revoked: z.boolean(), reason: z.string().optional() })
      .meta({ id: 'CloudDisconnection' }),
    stales: 'cloudAccounts',
    costs: 'waiting',
  },
  refresh: {
    summary: 'Reads the lists at the provider now, for everybody in the workspace',
    input: nothing,
    answer: z.strictObject(seen).meta({ id: 'CloudSeen' }),
    stales: ['droplets', 'cloudDatabases', 'cloudDomains'],
    costs: 'waiting',
    receipt: false,
  },
  dropletOptions: {
    summary: 'Regions, sizes with their prices, and images for a new droplet',
    path: 'droplet/options',
    input: nothing,
    answer: options,
    shows: [],
    costs: 'waiting',
    volatile: true,
  },
  dropletList: {
    summary: 'The droplets of the account',
    method: 'GET',
    path: 'droplet/list',
    input: ignored,
    answer: z.array(dropletView),
    shows: 'droplets',
    asOf: true,
  },
  dropletDetail: {
    summary: 'One droplet, also one that is no longer in the account',
    path: 'droplet/detail',
    input: byId,
    example: { id: demo.droplet },
    answer: dropletView,
    shows: 'droplets',
    asOf: true,
  },
  dropletCreate: {
    summary:
      'Creates a droplet as a run: with a key of its own, and a host key known before the first contact',
    path: 'droplet/create',
    input: dropletCreate,
    example: { name: 'web-1', size: 's-1vcpu-1gb', runId: newRunId },
    answer: started,
    stales: 'runs',
    wide: true,
  },
  dropletAssociate: {
    summary: 'Registers a droplet as a server of the console',
    path: 'droplet/associate',
    input: dropletAssociate,
    example: { id: demo.droplet, privateKey, product: { id: demo.product } },
    answer: ids,
    stales: ['droplets', 'servers'],
    wide: true,
  },
  dropletAct: {
    summary: 'Changes a droplet as a run: power, size, name, image, or a snapshot of it',
    path: 'droplet/act',
    input: dropletAct,
    example: { id: demo.droplet, type: 'reboot', runId: newRunId },
    answer: started,
    stales: ['runs', 'droplets'],
    wide: true,
  },
  dropletDelete: {
    summary: 'Deletes a droplet at the provider as a run; its name confirms',
    path: 'droplet/delete',
    input: dropletDelete,
    example: { id: demo.droplet, name: 'web-1', runId: newRunId },
    answer: started,
    stales: ['runs', 'droplets'],
    wide: true,
  },
  databaseList: {
    summary: 'The databases of the account',
    method: 'GET',
    path: 'databases/list',
    input: ignored,
    answer: z.array(listedDatabase),
    shows: 'cloudDatabases',
    asOf: true,
  },
  databasePassword: {
    summary: 'Shows the password of a database, and records that',
    path: 'databases/password',
    input: byId,
    example: { id: demo.cloudDatabase },
    answer: z.strictObject({ user: z.string(), password: z.string() }).meta({ id: 'CloudPassword' }),
    stales: 'cloudDatabases',
    costs: 'waiting',
    receipt: false,
  },
  databaseCreate: {
    summary: 'Creates a database at the provider as a run',
    path: 'databases/create',
    input: cloudDatabaseCreate,
    example: { name: 'shop-db', engine: 'mysql', runId: newRunId },
    answer: started,
    stales: 'runs',
    wide: true,
  },
  databaseDelete: {
    summary: 'Deletes a database and its content at the provider as a run; its name confirms',
    method: 'GET',
    path: 'databases/delete',
    input: cloudDatabaseDelete,
    example: { uuid: demo.cloudDatabase, name: 'shop-db', runId: newRunId },
    answer: started,
    stales: ['runs', 'cloudDatabases'],
    wide: true,
  },
  databaseAssociate: {
    summary: 'Registers a database with a product, and tests the connection as a run',
    path: 'databases/associate',
    input: cloudDatabaseAssociate,
    example: { id: demo.cloudDatabase, product: { id: demo.product }, runId: newRunId },
    answer: ids.extend({ runId: z.string() }).meta({ id: 'AssociatedDatabase' }),
    stales: ['cloudDatabases', 'databases'],
    wide: true,
    costs: 'waiting',
  },
  domainList: {
    summary: 'The domains of the account, with their zone files',
    method: 'GET',
    path: 'domain/list',
    input: ignored,
    answer: z.array(listedDomain),
    shows: 'cloudDomains',
    volatile: true,
  },
  recordList: {
    summary: 'The records of a domain at the provider',
    path: 'domain/record/list',
    input: ofCloudDomain,
    example: { domain: 'example.org' },
    answer: z.array(record),
    shows: 'cloudDomains',
    costs: 'waiting',
    volatile: true,
  },
  recordInsert: {
    summary: 'Adds a record to a domain',
    path: 'domain/record/insert',
    input: cloudRecordInsert,
    example: { domain: 'example.org', ...ofShop },
    answer: record,
    stales: 'cloudDomains',
    costs: 'waiting',
  },
  recordUpdate: {
    summary: 'Changes a record of a domain',
    path: 'domain/record/update',
    input: cloudRecordUpdate,
    example: { ...ofRecord, ...ofShop },
    answer: record,
    stales: 'cloudDomains',
    costs: 'waiting',
  },
  recordDelete: {
    summary: 'Removes a record of a domain',
    path: 'domain/record/delete',
    input: cloudRecordDelete,
    example: ofRecord,
    answer: empty,
    stales: 'cloudDomains',
    costs: 'waiting',
  },
  domainDifference: {
    summary: 'The A records of a domain beside what their names resolve to',
    path: 'domain/difference',
    input: ofCloudDomain,
    example: { domain: 'example.org' },
    answer: z.array(resolved),
    shows: 'cloudDomains',
    costs: 'waiting',
    volatile: true,
  },
  orphans: {
    summary: 'What is at the provider and unknown here, and the other way round',
    input: nothing,
    answer: orphans,
    shows: ['droplets', 'cloudDatabases', 'servers', 'runs'],
    volatile: true,
  },
  keyDelete: {
    summary: 'Removes an SSH key from the provider that a run has left there',
    path: 'orphans/key/delete',
    input: cloudKeyDelete,
    example: { key: 28_448_431, name: `quarterdeck-${newRunId}` },
    answer: empty,
    stales: 'droplets',
    wide: true,
    costs: 'waiting',
  },
  costs: {
    summary: 'What the droplets of each product cost in a month, also those that are gone',
    input: costMonth,
    example: { month: '2026-11' },
    answer: costs,
    shows: ['droplets', 'products'],
    volatile: true,
  },
});
