/** Fields of the things that DigitalOcean's API answers with. See `description.ts`. */
import { z } from 'zod';

const at = z.iso.datetime({ offset: true });

export const account = z.looseObject({
  droplet_limit: z.int(),
  floating_ip_limit: z.int(),
  email: z.string(),
  uuid: z.string(),
  email_verified: z.boolean(),
  status: z.enum(['active', 'warning', 'locked']),
  status_message: z.string(),
  team: z.strictObject({ uuid: z.string(), name: z.string() }).optional(),
});

export const key = z.strictObject({
  id: z.int(),
  /** MD5, as pairs of digits with colons. */
  fingerprint: z.string().regex(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/),
  public_key: z.string(),
  name: z.string(),
});

export const region = z.strictObject({
  name: z.string(),
  slug: z.string(),
  features: z.array(z.string()),
  available: z.boolean(),
  sizes: z.array(z.string()),
});

export const action = z.strictObject({
  id: z.int(),
  status: z.enum(['in-progress', 'completed', 'errored']),
  type: z.string(),
  started_at: at,
  completed_at: at.nullable(),
  resource_id: z.int().nullable(),
  resource_type: z.string(),
  region: region.optional(),
  region_slug: z.string().nullable(),
});

export const size = z.strictObject({
  slug: z.string(),
  memory: z.int().multipleOf(8),
  vcpus: z.int(),
  disk: z.int(),
  transfer: z.number(),
  price_monthly: z.number(),
  price_hourly: z.number(),
  regions: z.array(z.string()),
  available: z.boolean(),
  description: z.string(),
});

const network = z.strictObject({
  ip_address: z.ipv4(),
  netmask: z.ipv4(),
  gateway: z.string(),
  type: z.enum(['public', 'private']),
});

/** A public image has a slug. */
export const image = z.strictObject({
  id: z.int(),
  name: z.string(),
  distribution: z.string(),
  slug: z.string().nullable(),
  type: z.enum(['base', 'snapshot', 'backup', 'custom']),
  public: z.boolean(),
  regions: z.array(z.string()),
  created_at: at,
  min_disk_size: z.int().min(0),
  size_gigabytes: z.number(),
  status: z.enum(['NEW', 'available', 'pending', 'deleted', 'retired']),
});

export const droplet = z.strictObject({
  id: z.int(),
  name: z.string(),
  memory: z.int(),
  vcpus: z.int(),
  disk: z.int(),
  locked: z.boolean(),
  status: z.enum(['new', 'active', 'off', 'archive']),
  created_at: at,
  features: z.array(z.string()),
  backup_ids: z.array(z.int()),
  /** Only with backups. */
  next_backup_window: z.strictObject({ start: at, end: at }).nullable(),
  snapshot_ids: z.array(z.int()),
  volume_ids: z.array(z.string()),
  image,
  size,
  size_slug: z.string(),
  networks: z.strictObject({ v4: z.array(network), v6: z.array(z.never()) }),
  region,
  tags: z.array(z.string()),
  vpc_uuid: z.uuid(),
});

export const snapshot = z.strictObject({
  id: z.int(),
  name: z.string(),
  created_at: at,
  type: z.enum(['snapshot', 'backup']),
  regions: z.array(z.string()),
  min_disk_size: z.int(),
  size_gigabytes: z.number(),
});

const connection = z.strictObject({
  uri: z.string(),
  database: z.string(),
  host: z.string(),
  port: z.int(),
  user: z.string(),
  password: z.string(),
  ssl: z.boolean(),
});

export const cluster = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  engine: z.enum(['pg', 'mysql', 'redis', 'valkey', 'mongodb', 'kafka', 'opensearch']),
  version: z.string(),
  semantic_version: z.string(),
  num_nodes: z.int(),
  size: z.string(),
  region: z.string(),
  status: z.enum(['creating', 'online', 'resizing', 'migrating', 'forking']),
  created_at: at,
  tags: z.array(z.string()).nullable(),
  db_names: z.array(z.string()).nullable(),
  private_network_uuid: z.uuid(),
  project_id: z.uuid(),
  connection: connection.optional(),
  private_connection: connection.optional(),
});

export const rule = z.strictObject({
  uuid: z.uuid(),
  cluster_uuid: z.uuid(),
  type: z.enum(['droplet', 'k8s', 'ip_addr', 'tag', 'app']),
  value: z.string(),
  created_at: at,
});

export const record = z.strictObject({
  id: z.int(),
  type: z.string(),
  name: z.string(),
  data: z.string(),
  priority: z.int().nullable(),
  port: z.int().nullable(),
  ttl: z.int(),
  weight: z.int().nullable(),
  flags: z.int().nullable(),
  tag: z.string().nullable(),
});

export const domain = z.strictObject({
  name: z.string(),
  ttl: z.int().nullable(),
  zone_file: z.string().nullable(),
});
