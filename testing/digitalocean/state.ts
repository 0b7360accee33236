/** What an account at the stand-in of DigitalOcean has, and how its things come to be. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { action, cluster, droplet, image, key, rule, size } from './models';
import type { StoredDomain } from './records';

export type StoredDroplet = z.infer<typeof droplet> & { user_data?: string };
export type StoredAction = z.infer<typeof action>;
export type StoredCluster = z.infer<typeof cluster>;
export type StoredKey = z.infer<typeof key>;
export type StoredRule = z.infer<typeof rule>;

/** The machine behind a droplet. Its sshd is at port 22 of the address. */
export interface Machine {
  address: string;
  stop(): Promise<void>;
}
/** Boots a machine with what cloud-init would do with the user data and the keys. */
export type BootMachine = (given: { userData: string; keys: string[] }) => Promise<Machine>;

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly id: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}
export const notFound = (): Refusal =>
  new Refusal(404, 'not_found', 'The resource you requested could not be found.');
export const unprocessable = (message: string): Refusal => new Refusal(422, 'unprocessable_entity', message);

const REGIONS = ['fra1', 'nyc1'];
const sizeOf = (slug: string, memory: number, monthly: number): z.infer<typeof size> => ({
  slug,
  memory,
  vcpus: 1,
  disk: 25,
  transfer: 1,
  price_monthly: monthly,
  price_hourly: Math.round((monthly / 672) * 1e5) / 1e5,
  regions: REGIONS,
  available: true,
  description: 'Basic',
});
export const sizes = [
  sizeOf('s-1vcpu-1gb', 1024, 6),
  sizeOf('s-1vcpu-2gb', 2048, 12),
  { ...sizeOf('512mb', 512, 5), available: false },
];
export const regions = REGIONS.map((slug) => ({
  name: slug === 'fra1' ? 'Frankfurt 1' : 'New York 1',
  slug,
  features: ['backups'],
  available: true,
  sizes: sizes.map((one) => one.slug),
}));
const imageOf = (id: number, distribution: string, name: string, slug: string): z.infer<typeof image> => ({
  id,
  name,
  distribution,
  slug,
  type: 'base',
  public: true,
  regions: REGIONS,
  created_at: '2026-01-05T12:00:00Z',
  min_disk_size: 7,
  size_gigabytes: 2.34,
  status: 'available',
});
export const images = [
  imageOf(1001, 'Debian', '12 x64', 'debian-12-x64'),
  imageOf(1002, 'Ubuntu', '24.04 (LTS) x64', 'ubuntu-24-04-x64'),
];

/** Networks and project that things belong to if a request names no others. */
const VPC = '760e09ef-dc84-11e8-981e-3cfdfeaae000';
const PROJECT = '4e1bfbc3-dc3e-41f2-a18f-1b4d7ba71679';

const DAY_MS = 86_400_000;
export const backupWindow = () => ({
  start: new Date(Date.now() + DAY_MS).toISOString(),
  end: new Date(Date.now() + DAY_MS + DAY_MS / 6).toISOString(),
});

const now = (): string => new Date().toISOString();

export class Account {
  readonly droplets = new Map<number, StoredDroplet>();
  readonly actions = new Map<number, StoredAction>();
  readonly clusters = new Map<string, StoredCluster>();
  readonly rules = new Map<string, StoredRule[]>();
  readonly keys = new Map<number, StoredKey>();
  readonly domains = new Map<string, StoredDomain>();
  readonly snapshots = new Map<number, { id: number; name: string; of: number }>();
  readonly machines = new Map<number, Machine>();
  /** How often an action or a new cluster is looked at before it is done. */
  looks = 1;
  /** Actions of these types end with `errored`. */
  readonly errored = new Set<string>();
  /** PEM of the authority that signs the certificates of clusters. */
  authority = '-----BEGIN CERTIFICATE-----\nMIIBdigital\n-----END CERTIFICATE-----\n';
  boot: BootMachine | undefined;
  private lastId = 28_448_428;
  private readonly left = new Map<number | string, number>();
  private readonly effects = new Map<number, () => Promise<void> | void>();

  nextId(): number {
    return (this.lastId += 1);
  }

  addKey(name: string, publicKey: string): StoredKey {
    const [, blob = ''] = publicKey.split(' ');
    const digest = createHash('md5').update(Buffer.from(blob, 'base64')).digest('hex');
    const fingerprint = digest.replaceAll(/(..)(?=.)/g, '$1:');
    if ([...this.keys.values()].some((one) => one.fingerprint === fingerprint))
      throw unprocessable('SSH Key is already in use on your account');
    const made = { id: this.nextId(), fingerprint, public_key: publicKey, name };
    this.keys.set(made.id, made);
    return made;
  }

  addDroplet(given: Partial<StoredDroplet> & { name: string }): StoredDroplet {
    const size = sizes.find(({ slug }) => slug === (given.size_slug ?? 's-1vcpu-1gb'));
    if (!size) throw unprocessable('You specified an invalid size for Droplet creation.');
    const [region] = regions;
    const [image] = images;
    if (!region || !image) throw new Error('the stand-in has no regions');
    const id = this.nextId();
    const made: StoredDroplet = {
      id,
      memory: size.memory,
      vcpus: size.vcpus,
      disk: size.disk,
      locked: false,
      status: 'active',
      created_at: now(),
      features: [],
      backup_ids: [],
      next_backup_window: null,
      snapshot_ids: [],
      volume_ids: [],
      image,
      size,
      size_slug: size.slug,
      networks: { v4: [], v6: [] },
      region,
      tags: [],
      vpc_uuid: VPC,
      ...given,
    };
    this.droplets.set(id, made);
    return made;
  }

  addAddress(id: number, address: string, type: 'public' | 'private' = 'public'): void {
    this.droplet(id).networks.v4.push({
      ip_address: address,
      netmask: '255.255.240.0',
      gateway: '203.0.113.1',
      type,
    });
  }

  addCluster(given: Partial<StoredCluster> & { name: string }): StoredCluster {
    const { engine = 'mysql' } = given;
    const id = randomUUID();
    const made: StoredCluster = {
      id,
      engine,
      version: engine === 'pg' ? '17' : '8',
      semantic_version: engine === 'pg' ? '17.2' : '8.0.35',
      num_nodes: 1,
      size: 'db-s-1vcpu-1gb',
      region: 'fra1',
      status: 'online',
      created_at: now(),
      tags: [],
      db_names: ['defaultdb'],
      private_network_uuid: VPC,
      project_id: PROJECT,
      ...given,
    };
    const connection = made.connection ?? this.connectionOf(made);
    const inside = { ...connection, host: `private-${connection.host}` };
    Object.assign(made, { connection, private_connection: inside });
    this.clusters.set(id, made);
    return made;
  }

  /** Begins an action, which has its effect when it has been looked at often enough. */
  begin(type: string, on: StoredDroplet, effect: () => Promise<void> | void): StoredAction {
    const id = this.nextId();
    const made: StoredAction = {
      id,
      status: 'in-progress',
      type,
      started_at: now(),
      completed_at: null,
      resource_id: on.id,
      resource_type: 'droplet',
      region: on.region,
      region_slug: on.region.slug,
    };
    this.actions.set(id, made);
    this.left.set(id, this.looks);
    this.effects.set(id, effect);
    return made;
  }

  async lookAt(id: number): Promise<StoredAction> {
    const found = this.actions.get(id);
    if (!found) throw notFound();
    if (found.status !== 'in-progress' || this.isUnderWay(id)) return found;
    const effect = this.effects.get(id);
    this.effects.delete(id);
    if (!effect) return found;
    if (!this.errored.has(found.type)) await effect();
    found.status = this.errored.has(found.type) ? 'errored' : 'completed';
    found.completed_at = now();
    return found;
  }

  /** Whoever looks at a droplet sees its actions go on, too. */
  async lookAtDroplet(id: number): Promise<StoredDroplet> {
    const droplet = this.droplet(id);
    for (const { id: action, status, resource_id: of } of this.actions.values())
      if (of === id && status === 'in-progress') await this.lookAt(action);
    return droplet;
  }

  lookAtCluster(id: string): StoredCluster {
    const found = this.clusters.get(id);
    if (!found) throw notFound();
    if (found.status === 'creating' && !this.isUnderWay(id)) {
      found.status = 'online';
      found.db_names = ['defaultdb'];
    }
    return found;
  }

  beginCluster(given: Partial<StoredCluster> & { name: string }): StoredCluster {
    const made = this.addCluster({ ...given, status: 'creating', db_names: null });
    this.left.set(made.id, this.looks);
    return made;
  }

  /** Replaces all rules of the cluster's firewall. */
  setRules(cluster: string, given: readonly Partial<StoredRule>[]): void {
    const made = given.map((one) => {
      const { uuid = randomUUID(), type = 'ip_addr', value = '' } = one;
      return { uuid, cluster_uuid: cluster, type, value, created_at: now() };
    });
    this.rules.set(cluster, made);
  }

  droplet(id: number): StoredDroplet {
    const found = this.droplets.get(id);
    if (!found) throw notFound();
    return found;
  }

  /** Its machine ends with it. */
  async removeDroplet(id: number): Promise<void> {
    this.droplet(id);
    this.droplets.delete(id);
    await this.stopMachine(id);
  }

  async stopMachine(id: number): Promise<void> {
    const machine = this.machines.get(id);
    this.machines.delete(id);
    await machine?.stop();
  }

  private isUnderWay(id: number | string): boolean {
    const left = this.left.get(id) ?? 0;
    this.left.set(id, left - 1);
    return left > 0;
  }

  private connectionOf({ engine, name, id }: StoredCluster): NonNullable<StoredCluster['connection']> {
    const [user, port] = ['doadmin', 25_060];
    const host = `${name}-do-user-${id.slice(0, 4)}.db.example.test`;
    const password = `AVNS_${randomBytes(9).toString('hex')}`;
    const scheme = engine === 'pg' ? 'postgresql' : engine;
    const uri = `${scheme}://${user}:${password}@${host}:${port}/defaultdb`;
    return { uri, database: 'defaultdb', host, port, user, password, ssl: true };
  }
}
