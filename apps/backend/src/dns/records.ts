/** Address records, what changing one means, and who can do it. */
import { DomainError } from '../platform/errors';
import { addressOf } from '../platform/outbound';
import { hostNameOf } from './host-name';

export type RecordType = 'A' | 'AAAA' | 'CNAME';

export interface DnsRecord {
  /** The whole host name, as `hostNameOf` writes it. */
  name: string;
  type: RecordType;
  /** An address in its one written form, or the host name that a CNAME leads to. */
  value: string;
  /** Seconds. */
  ttl: number;
}

export interface Upserted {
  done: 'added' | 'replaced' | 'unchanged';
  /** What stood at the name before, for the history and for taking it back. */
  before: DnsRecord[];
}

export interface UpsertOptions {
  replace?: boolean;
  ahead?: (inTheWay: readonly DnsRecord[]) => Promise<void>;
}

/**
 * Whoever holds the zone. Failures are DomainErrors: `upstream` with a stable code (`detail.code`), `unavailable` with
 * `detail.retryAfter` when it asks for patience, `conflict` with the standing records in `detail.current`.
 */
export interface DnsProvider {
  /**
   * Sees to it that the record stands, and nothing beside it that leads elsewhere. Again is the same as once; a record
   * that is there keeps its TTL.
   *
   * @param options.ahead is told what goes for it, before anything is changed; nothing is when it throws
   * @throws DomainError `conflict` when other records stand there and `replace` is not asked for; nothing is changed
   */
  upsert(record: DnsRecord, options?: UpsertOptions): Promise<Upserted>;
  /** Takes away the one record with this name, type and value, and leaves all others. */
  remove(record: Omit<DnsRecord, 'ttl'>): Promise<{ done: 'removed' | 'was-not-there' }>;
  /** The records of the three types that stand at a name, as the provider itself knows them. */
  list(name: string): Promise<DnsRecord[]>;
  /** Changes nothing. @throws DomainError when it cannot be reached, does not know the zone, or refuses us. */
  check(): Promise<void>;
}

/** The record that leads a host name to an address. @throws DomainError `invalid` that names `name` or `ip` */
export const addressRecord = (name: string, ip: string, ttl: number): DnsRecord => {
  const address = addressOf(ip.trim());
  if (!address)
    throw new DomainError('invalid', 'ip is not an address such as 192.0.2.1', {
      ip: 'ip is not an address such as 192.0.2.1',
    });
  return {
    name: hostNameOf(name, 'name'),
    type: address.family === 4 ? 'A' : 'AAAA',
    value: address.address,
    ttl,
  };
};

export const isSame = (one: Omit<DnsRecord, 'ttl'>, other: Omit<DnsRecord, 'ttl'>): boolean =>
  one.name === other.name && one.type === other.type && one.value === other.value;

/** A CNAME stands alone (RFC 1034, 3.6.2); A and AAAA do not disturb each other. */
const inTheWayOf = (wanted: DnsRecord, standing: readonly DnsRecord[]): DnsRecord[] =>
  standing.filter(
    (one) =>
      !isSame(one, wanted) && (one.type === wanted.type || one.type === 'CNAME' || wanted.type === 'CNAME'),
  );

export interface Change {
  remove: DnsRecord[];
  add: DnsRecord[];
  done: Upserted['done'];
}

/** What has to change so that the wanted record stands. @throws DomainError `conflict`, see `DnsProvider.upsert` */
export const planUpsert = (wanted: DnsRecord, standing: readonly DnsRecord[], replace: boolean): Change => {
  const remove = inTheWayOf(wanted, standing);
  const add = standing.some((one) => isSame(one, wanted)) ? [] : [wanted];
  if (remove.length === 0) return { remove, add, done: add.length === 0 ? 'unchanged' : 'added' };
  if (replace) return { remove, add, done: 'replaced' };
  const there = standing.map(({ type, value }) => `${type} ${value}`).join(', ');
  throw new DomainError(
    'conflict',
    `${wanted.name} already has ${there}; ask for replace to put ${wanted.type} ${wanted.value} in its place`,
    undefined,
    { current: standing, code: 'record-stands' },
  );
};

/** @throws DomainError `invalid` when a name does not lie in the zone */
export const mustLieIn = (zone: string, name: string): void => {
  if (name !== zone && !name.endsWith(`.${zone}`)) {
    const message = `name ${name} does not lie in the zone ${zone} of the DNS provider`;
    throw new DomainError('invalid', message, { name: message });
  }
};
