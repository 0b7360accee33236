/** The parts of DigitalOcean's answers that the console reads, as its own data. Pure. */
import { z } from 'zod';
import { storable } from '../digitalocean';
import type { ProviderAction, ProviderKey, SeenCluster, SeenMachine, Zone, ZoneRecord } from './provider';

export const name = z.string().max(300).transform(storable);
const zoneFile = z
  .string()
  .max(1_000_000)
  .transform((text) => text.replaceAll('\t', ' ').split(/\r?\n/).map(storable).join('\n'));
const date = z
  .string()
  .max(40)
  .refine((text) => Number.isFinite(Date.parse(text)));
/** In USD. */
const price = z.number().min(0).max(1_000_000);
const seconds = z.int().min(0).max(2_147_483_647);

export const droplet = z
  .object({
    id: z.int(),
    name,
    status: z.enum(['new', 'active', 'off', 'archive']),
    locked: z.boolean(),
    created_at: date,
    features: z.array(name).default([]),
    image: z.object({ slug: name.nullish(), name: name.nullish() }),
    size: z.object({ price_monthly: price, price_hourly: price }),
    size_slug: name,
    networks: z.object({ v4: z.array(z.object({ ip_address: name, type: name })) }),
    region: z.object({ slug: name }),
    tags: z.array(name).default([]),
  })
  .transform((one): SeenMachine => ({
    droplet: one.id,
    name: one.name,
    status: one.status,
    isLocked: one.locked,
    createdAt: one.created_at,
    networks: { v4: one.networks.v4 },
    size: one.size_slug,
    region: one.region.slug,
    image: one.image.slug ?? one.image.name ?? '',
    backups: one.features.includes('backups'),
    priceMonthly: one.size.price_monthly,
    priceHourly: one.size.price_hourly,
    tags: one.tags,
  }));

const states = { 'in-progress': 'underWay', completed: 'done', errored: 'failed' } as const;
export const action = z
  .object({ id: z.int(), type: name, status: z.enum(['in-progress', 'completed', 'errored']) })
  .transform(({ id, type, status }): ProviderAction => ({ id, type, state: states[status] }));

export const key = z
  .object({ id: z.int(), name, fingerprint: name })
  .transform((one): ProviderKey => ({ key: one.id, name: one.name, fingerprint: one.fingerprint }));

/** A token without the scope `database:view_credentials` gets neither user nor password. */
const connection = z.object({
  host: name,
  port: z.int(),
  user: name.nullish(),
  password: z.string().max(1000).nullish(),
  database: name,
});
const clusterShape = z.object({
  id: z.uuid(),
  name,
  engine: name,
  version: name,
  status: name,
  size: name,
  region: name,
  created_at: date,
  tags: z.array(name).nullish(),
  db_names: z.array(name).nullish(),
  connection: connection.nullish(),
});
export const cluster = clusterShape.transform((one): SeenCluster => {
  const { host, port, user, database } = one.connection ?? {};
  const isReachable = host !== undefined && port !== undefined && database !== undefined;
  return {
    cluster: one.id,
    name: one.name,
    engine: one.engine,
    version: one.version,
    status: one.status,
    size: one.size,
    region: one.region,
    createdAt: one.created_at,
    tags: one.tags ?? [],
    ...(one.db_names && { dbNames: one.db_names }),
    ...(isReachable && { connection: { host, port, database, ...(user && { user }) } }),
  };
});
/** With the password. */
export const openCluster = clusterShape.extend({ connection });

export const zone = z
  .object({ name, ttl: seconds.nullish(), zone_file: zoneFile.nullish() })
  .transform((one): Zone => ({
    name: one.name,
    ...(typeof one.ttl === 'number' && { ttl: one.ttl }),
    ...(typeof one.zone_file === 'string' && { zoneFile: one.zone_file }),
  }));

export const record = z
  .object({
    id: z.int(),
    type: name,
    name,
    data: z.string().max(10_000).transform(storable),
    ttl: seconds,
    priority: z.int().nullish(),
  })
  .transform(({ id, priority, ...one }): ZoneRecord => ({
    record: id,
    ...one,
    ...(typeof priority === 'number' && { priority }),
  }));

export const size = z.object({
  slug: name,
  description: name,
  memory: z.int(),
  vcpus: z.int(),
  disk: z.int(),
  price_monthly: price,
  price_hourly: price,
  regions: z.array(name),
  available: z.boolean(),
});
export const region = z.object({ slug: name, name, available: z.boolean() });
export const image = z.object({ slug: name.nullish(), name, distribution: name.default('') });
