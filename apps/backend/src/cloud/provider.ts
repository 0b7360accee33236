/** What the console asks of a cloud provider. Adapters: `digitalocean-provider.ts`. Plain data, no secrets in names. */
import type { EventData } from '@quarterdeck/events';

export type CloudName = EventData<'CloudConnected'>['cloud'];
export type Machine = EventData<'DropletChanged'>;
export type Cluster = EventData<'CloudDatabaseChanged'>;

/** A machine as the provider lists it. `isLocked`: an action is under way. */
export interface SeenMachine extends Machine {
  droplet: number;
  createdAt: string;
  isLocked: boolean;
}

export interface SeenCluster extends Cluster {
  cluster: string;
  engine: string;
  createdAt: string;
}

/** With the password, which is kept nowhere. */
export interface ClusterAccess {
  engine: string;
  dbNames: string[];
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** PEM of the authority of its certificate. */
  certificate: string;
}

export interface ProviderAction {
  id: number;
  type: string;
  state: 'underWay' | 'done' | 'failed';
}

export interface ProviderKey {
  key: number;
  name: string;
  fingerprint: string;
}

export interface ZoneRecord {
  record: number;
  type: string;
  name: string;
  data: string;
  ttl: number;
  priority?: number;
}

export interface Zone {
  name: string;
  ttl?: number;
  zoneFile?: string;
}

export interface NewMachine {
  name: string;
  region: string;
  size: string;
  image: string;
  backups: boolean;
  /** The mark by which it is found again, if the answer is lost. */
  tag: string;
  key: number;
  userData: string;
}

export interface NewCluster {
  name: string;
  engine: string;
  region: string;
  size: string;
  tag: string;
}

export interface MachineOptions {
  regions: { slug: string; name: string }[];
  sizes: {
    slug: string;
    description: string;
    memory: number;
    vcpus: number;
    disk: number;
    priceMonthly: number;
    priceHourly: number;
    regions: string[];
  }[];
  images: { slug: string; name: string; distribution: string }[];
}

export interface Limits {
  limit: number;
  remaining: number;
  resetAt: string;
}

export type ActionRequest = Readonly<Record<string, string | boolean>> & { type: string };

/** With one token. Every call may throw a DomainError; `isAnswerLost` says whether it may have had its effect. */
export interface CloudProvider {
  account(): Promise<{ team?: string }>;
  machines(tag?: string): Promise<SeenMachine[]>;
  machine(droplet: number): Promise<SeenMachine | undefined>;
  createMachine(wanted: NewMachine): Promise<{ droplet: number; action: number | undefined }>;
  /** No error if it is gone already. */
  deleteMachine(droplet: number): Promise<void>;
  /** Newest first. */
  actions(droplet: number): Promise<ProviderAction[]>;
  act(droplet: number, request: ActionRequest): Promise<ProviderAction>;
  action(id: number): Promise<ProviderAction>;
  options(): Promise<MachineOptions>;

  keys(): Promise<ProviderKey[]>;
  /** By the MD5 fingerprint that the provider uses. */
  key(fingerprint: string): Promise<ProviderKey | undefined>;
  addKey(name: string, publicKey: string): Promise<ProviderKey>;
  deleteKey(key: number): Promise<void>;

  clusters(tag?: string): Promise<SeenCluster[]>;
  cluster(id: string): Promise<SeenCluster | undefined>;
  clusterAccess(id: string): Promise<ClusterAccess>;
  createCluster(wanted: NewCluster): Promise<SeenCluster>;
  deleteCluster(id: string): Promise<void>;

  zones(): Promise<Zone[]>;
  records(zone: string): Promise<ZoneRecord[]>;
  addRecord(zone: string, record: Omit<ZoneRecord, 'record'>): Promise<ZoneRecord>;
  changeRecord(zone: string, record: ZoneRecord): Promise<ZoneRecord>;
  deleteRecord(zone: string, record: number): Promise<void>;
}

/** Everything at the provider that a run makes carries it. */
export const markOf = (run: string): string => `quarterdeck-${run}`;

const MARK = /^quarterdeck-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** The run in a mark; undefined if it is none. */
export const runIn = (mark: string): string | undefined => MARK.exec(mark)?.[1];
