/** Accounts at cloud providers, and the machines and databases that were ever seen in them. */
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';

const recorded = { workspace: z.string(), revision: z.int(), position: z.string() };
const cloud = z.enum(['digitalocean']);

export const cloudAccountView = z
  .strictObject({
    id: z.string(),
    cloud,
    by: z.enum(['oauth', 'token']),
    fingerprint: z.string(),
    scopes: z.array(z.string()).optional(),
    expiresAt: z.string().optional(),
    team: z.string().optional(),
    connectedAt: z.string(),
    connectedBy: z.string(),
    /** Why the provider no longer accepts the token. */
    refused: z.string().optional(),
    ...recorded,
  })
  .meta({ id: 'CloudAccount' });
export interface CloudAccountView extends z.infer<typeof cloudAccountView> {}

export const cloudAccounts = defineProjection<CloudAccountView>({
  name: 'cloud_accounts',
  version: 1,
  columns: { refused: 'text' },
  indexes: ['(workspace)'],
  ...rowPerStream('cloudaccount'),
  evolve: (view, { type, data, meta, revision, position }, id) => {
    const { workspace } = meta;
    if (type === 'CloudConnected') {
      const { secret, refresh: _, ...shown } = data;
      const { fingerprint } = secret;
      const by = { connectedAt: meta.at, connectedBy: meta.actor };
      return { id, ...shown, fingerprint, ...by, workspace, revision, position };
    }
    if (!view || type === 'CloudDisconnected') return undefined;
    if (type === 'CloudTokenRefused') return { ...view, refused: data.reason, revision, position };
    const { refused: _, ...before } = view;
    if (type === 'CloudTokenAccepted') return { ...before, revision, position };
    if (type !== 'CloudTokenRefreshed') return view;
    const { secret, refresh: __, ...shown } = data;
    return { ...before, ...shown, fingerprint: secret.fingerprint, revision, position };
  },
});

/** A part of the life of a machine during which its price and its product stayed the same. */
const use = z.strictObject({
  from: z.string(),
  to: z.string().optional(),
  hourly: z.number(),
  monthly: z.number(),
  product: z.string().optional(),
});
export interface CloudUse extends z.infer<typeof use> {}

const formerIp = z.strictObject({ ip: z.string(), lostAt: z.string() });

export const dropletView = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    ...catalogue.DropletDiscovered.schema.shape,
    server: catalogue.DropletAssociated.schema.shape.server.optional(),
    product: z.string().optional(),
    /** The console has a key for it, and knows its host key. */
    hostKey: catalogue.DropletPrepared.schema.shape.hostKey.optional(),
    goneAt: z.string().optional(),
    /** Addresses that it had, and has no longer. */
    formerIps: z.array(formerIp).optional(),
    uses: z.array(use),
    ...recorded,
  })
  .meta({ id: 'Droplet' });
export interface DropletView extends z.infer<typeof dropletView> {}

export interface StoredDroplet extends DropletView {
  /** Copy of the server's id. */
  serverId?: string;
}

/** Ends the present use, and begins another one. */
const used = (uses: readonly CloudUse[], next: CloudUse): CloudUse[] => {
  const last = uses.at(-1);
  const isSame =
    last?.hourly === next.hourly && last.monthly === next.monthly && last.product === next.product;
  if (!last || (isSame && last.to === undefined)) return last ? [...uses] : [next];
  return [...uses.slice(0, -1), { ...last, to: last.to ?? next.from }, next];
};

/** Each address once: an account may give the same few addresses back and forth. */
const formerIps = (
  { networks: before, formerIps: former = [] }: DropletView,
  { networks: after }: Pick<DropletView, 'networks'>,
  lostAt: string,
): Pick<DropletView, 'formerIps'> => {
  const has = new Set(after.v4.map(({ ip_address: ip }) => ip));
  const lost = before.v4.flatMap(({ ip_address: ip }) => (has.has(ip) ? [] : [{ ip, lostAt }]));
  const gone = new Set(lost.map(({ ip }) => ip));
  const all = [...former.filter(({ ip }) => !has.has(ip) && !gone.has(ip)), ...lost];
  return all.length > 0 ? { formerIps: all } : {};
};

export const droplets = defineProjection<StoredDroplet>({
  name: 'droplets',
  version: 3,
  columns: { serverId: 'text', goneAt: 'text' },
  indexes: ['(workspace)', '(workspace, "serverId")'],
  ...rowPerStream('droplet'),
  evolve: (view, { type, data, meta, revision, position }, id) => {
    const now = { revision, position };
    if (type === 'DropletDiscovered') {
      const { createdAt: from, priceHourly: hourly, priceMonthly: monthly } = data;
      const uses = [{ from, hourly, monthly }];
      return { id, uuid: id, ...data, uses, workspace: meta.workspace, ...now };
    }
    if (!view) return undefined;
    switch (type) {
      case 'DropletChanged': {
        const { priceHourly: hourly, priceMonthly: monthly } = data;
        const of = view.product === undefined ? {} : { product: view.product };
        const uses = used(view.uses, { from: meta.at, hourly, monthly, ...of });
        const { formerIps: _, ...before } = view;
        return { ...before, ...data, ...formerIps(view, data, meta.at), uses, ...now };
      }
      case 'DropletPrepared':
        return { ...view, hostKey: data.hostKey, ...now };
      case 'DropletAssociated': {
        const { server, product } = data;
        const { product: _, ...before } = view;
        const of = product === undefined ? {} : { product };
        const { priceHourly: hourly, priceMonthly: monthly } = view;
        const uses = used(view.uses, { from: meta.at, hourly, monthly, ...of });
        return { ...before, server, serverId: server.id, ...of, uses, ...now };
      }
      case 'DropletReleased': {
        const { server: _, serverId: __, ...before } = view;
        return { ...before, ...now };
      }
      case 'DropletProductCleared': {
        const { product: _, ...before } = view;
        const { priceHourly: hourly, priceMonthly: monthly } = view;
        return { ...before, uses: used(view.uses, { from: meta.at, hourly, monthly }), ...now };
      }
      case 'DropletVanished':
        return {
          ...view,
          goneAt: meta.at,
          uses: view.uses.map((one) => (one.to === undefined ? { ...one, to: meta.at } : one)),
          ...now,
        };
      default:
        return view;
    }
  },
});

/** The host of a cluster, or the name of a database in it. */
const formerFact = z.strictObject({
  what: z.enum(['host', 'database']),
  value: z.string(),
  lostAt: z.string(),
});
type Fact = Pick<z.infer<typeof formerFact>, 'what' | 'value'>;

export const cloudDatabaseView = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    ...catalogue.CloudDatabaseDiscovered.schema.shape,
    product: catalogue.CloudDatabaseAssociated.schema.shape.product.optional(),
    /** The database of the console that it was associated as. */
    database: z.string().optional(),
    /** Its name when it was associated. */
    associatedAs: z.string().optional(),
    goneAt: z.string().optional(),
    /** What it had, and has no longer. */
    former: z.array(formerFact).optional(),
    ...recorded,
  })
  .meta({ id: 'CloudDatabase' });
export interface CloudDatabaseView extends z.infer<typeof cloudDatabaseView> {}

type Cluster = Pick<CloudDatabaseView, 'connection' | 'dbNames'>;

const factsOf = ({ connection, dbNames = [] }: Cluster): Fact[] => [
  ...(connection ? [{ what: 'host' as const, value: connection.host }] : []),
  ...dbNames.map((value) => ({ what: 'database' as const, value })),
];

const MAX_FORMER = 50;

const formerFacts = (
  before: CloudDatabaseView,
  after: Cluster,
  lostAt: string,
): Pick<CloudDatabaseView, 'former'> => {
  const key = ({ what, value }: Fact): string => `${what} ${value}`;
  const has = new Set(factsOf(after).map(key));
  const lost = factsOf(before).filter((one) => !has.has(key(one)));
  const kept = (before.former ?? []).filter((one) => !has.has(key(one)));
  const former = [...kept, ...lost.map((one) => ({ ...one, lostAt }))].slice(-MAX_FORMER);
  return former.length > 0 ? { former } : {};
};

export const cloudDatabases = defineProjection<CloudDatabaseView>({
  name: 'cloud_databases',
  version: 3,
  columns: { goneAt: 'text' },
  indexes: ['(workspace)'],
  ...rowPerStream('clouddatabase'),
  evolve: (view, { type, data, meta, revision, position }, id) => {
    const now = { revision, position };
    if (type === 'CloudDatabaseDiscovered')
      return { id, uuid: id, ...data, workspace: meta.workspace, ...now };
    if (!view) return undefined;
    if (type === 'CloudDatabaseChanged') {
      const { former: _, ...before } = view;
      // What the provider does not say at the moment stays known.
      const after = { ...before, ...data };
      return { ...after, ...formerFacts(view, after, meta.at), ...now };
    }
    if (type === 'CloudDatabaseAssociated')
      return { ...view, product: data.product, database: data.database, associatedAs: view.name, ...now };
    if (type === 'CloudDatabaseReleased') {
      const { product: _, database: __, associatedAs: ___, ...before } = view;
      return { ...before, ...now };
    }
    return type === 'CloudDatabaseVanished' ? { ...view, goneAt: meta.at, ...now } : view;
  },
});

const HOUR_MS = 3_600_000;

/**
 * What uses cost in a month, in USD: each started hour at the price of an hour, up to the price of a month. A change of
 * the product begins neither another month nor another hour: an hour counts for the product at its end. Each size that
 * the machine had counts by itself.
 *
 * @returns by product, only what costs something
 * @param month `2026-11`, in UTC
 * @param now ISO: uses that go on count up to it
 */
export const costIn = (
  uses: readonly CloudUse[],
  month: string,
  now: string,
): Map<string | undefined, number> => {
  // Not by numbers: for `Date.UTC`, the year 26 is 1926.
  const [start, end] = [Date.parse(`${month}-01`), new Date(`${month}-01`)];
  end.setUTCMonth(end.getUTCMonth() + 1);
  const parts = uses.flatMap((use) => {
    const begins = Math.max(Date.parse(use.from), start);
    const ends = Math.min(Date.parse(use.to ?? now), end.getTime(), Date.parse(now));
    return ends > begins ? [{ ...use, hours: (ends - begins) / HOUR_MS }] : [];
  });
  const last = new Map(parts.map(({ monthly }, at) => [monthly, at]));
  const costs = new Map<string | undefined, number>();
  /** At each price. */
  const counted = new Map<number, { hours: number; cost: number }>();
  for (const [at, { hourly, monthly, product, hours }] of parts.entries()) {
    const before = counted.get(monthly) ?? { hours: 0, cost: 0 };
    const all = before.hours + hours;
    const billed = last.get(monthly) === at ? Math.ceil(all) : Math.floor(all);
    const cost = Math.max(Math.min(monthly, billed * hourly) - before.cost, 0);
    counted.set(monthly, { hours: all, cost: before.cost + cost });
    if (cost > 0) costs.set(product, (costs.get(product) ?? 0) + cost);
  }
  return costs;
};
