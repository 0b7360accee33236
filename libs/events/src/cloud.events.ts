/**
 * Events about accounts at cloud providers, and about the machines, databases and domains in them. A machine or database
 * has its own stream from when it was first seen, whoever made it.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

const cloud = z.enum(['digitalocean']);
const secret = z.object({ ref: z.string(), fingerprint: z.string() });
const token = {
  secret,
  /** In the vault. Only tokens by OAuth have one; it works once. */
  refresh: z.object({ ref: z.string() }).optional(),
  scopes: z.array(z.string()).optional(),
  expiresAt: z.string().optional(),
};

export const cloudAccountEvents = {
  CloudConnected: defineEvent(
    z.object({ cloud, by: z.enum(['oauth', 'token']), ...token, team: z.string().optional() }),
  ),
  CloudTokenRefreshed: defineEvent(z.object(token)),
  /** The provider no longer accepts the token. */
  CloudTokenRefused: defineEvent(z.object({ reason: z.string() })),
  /** The provider accepts the token that it refused before. */
  CloudTokenAccepted: defineEvent(z.object({})),
  /** `revoked`: the provider has revoked the token as well; `reason`: why it has not. */
  CloudDisconnected: defineEvent(z.object({ cloud, revoked: z.boolean(), reason: z.string().optional() })),
};

const network = z.object({ ip_address: z.string(), type: z.string() });
/** What the provider says about a machine. */
const machine = {
  name: z.string(),
  status: z.enum(['new', 'active', 'off', 'archive']),
  networks: z.object({ v4: z.array(network) }),
  size: z.string(),
  region: z.string(),
  image: z.string(),
  backups: z.boolean(),
  priceMonthly: z.number(),
  priceHourly: z.number(),
  tags: z.array(z.string()),
};
const server = z.object({ id: z.uuid(), alias: z.string() });

export const dropletEvents = {
  /** Seen for the first time. `run`: the run that made it, according to its tag. */
  DropletDiscovered: defineEvent(
    z.object({
      cloud,
      droplet: z.int(),
      ...machine,
      createdAt: z.string(),
      run: z.uuid().optional(),
    }),
  ),
  DropletChanged: defineEvent(z.object(machine)),
  /** A run has signed in with a key made for this machine, and knows its host key. */
  DropletPrepared: defineEvent(
    z.object({
      run: z.uuid(),
      key: z.object({ ref: z.string(), fingerprint: z.string(), algorithm: z.string() }),
      hostKey: z.object({ fingerprint: z.string(), algorithm: z.string() }),
    }),
  ),
  DropletAssociated: defineEvent(z.object({ server, product: z.uuid().optional() })),
  /** The server that it was associated with was removed. */
  DropletReleased: defineEvent(z.object({ server })),
  /** The product that it counted for was removed. */
  DropletProductCleared: defineEvent(z.object({ product: z.uuid() })),
  /** It is no longer in the account. */
  DropletVanished: defineEvent(z.object({ name: z.string() })),
};

/** What the provider says about a database cluster, without its password. */
const cluster = {
  name: z.string(),
  status: z.string(),
  version: z.string(),
  size: z.string(),
  region: z.string(),
  dbNames: z.array(z.string()).optional(),
  /** `user`: absent if the token may not see it. */
  connection: z
    .object({ host: z.string(), port: z.int(), user: z.string().optional(), database: z.string() })
    .optional(),
  tags: z.array(z.string()),
};

const ofProduct = { product: z.object({ id: z.uuid(), name: z.string() }), database: z.uuid() };

export const cloudDatabaseEvents = {
  CloudDatabaseDiscovered: defineEvent(
    z.object({
      cloud,
      cluster: z.uuid(),
      engine: z.string(),
      ...cluster,
      createdAt: z.string(),
      run: z.uuid().optional(),
    }),
  ),
  CloudDatabaseChanged: defineEvent(z.object(cluster)),
  CloudDatabaseAssociated: defineEvent(z.object(ofProduct)),
  /** The database that it was associated as was deleted. */
  CloudDatabaseReleased: defineEvent(z.object(ofProduct)),
  CloudDatabasePasswordRevealed: defineEvent(z.object({ user: z.string() })),
  CloudDatabaseVanished: defineEvent(z.object({ name: z.string() })),
};

const record = {
  domain: z.string(),
  record: z.int(),
  type: z.string(),
  name: z.string(),
  data: z.string(),
  ttl: z.int(),
};

/** Changes that the console made to records of a domain. Changes made by others are not recorded. */
export const cloudDomainEvents = {
  CloudRecordAdded: defineEvent(z.object(record)),
  CloudRecordChanged: defineEvent(z.object({ ...record, before: z.string() })),
  CloudRecordRemoved: defineEvent(z.object(record)),
};
