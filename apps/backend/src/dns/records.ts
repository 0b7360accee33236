/** Address records, the plan of a change, and the interface of providers. */
import { DomainError } from '../platform/errors';
import { addressOf } from '../platform/outbound';
import { hostNameOf } from './host-name';

export type RecordType = 'A' | 'AAAA' | 'CNAME';

export interface DnsRecord {
  /** The whole host name, as `hostNameOf` writes it. */
  name: string;
  type: RecordType;
  /** An address in canonical form, or the target of a CNAME. */
  value: string;
  /** In seconds. */
  ttl: number;
}

/** A name may have many of them. */
export interface TextRecord {
  name: string;
  /** At most 255 characters of ASCII. */
  text: string;
}

export interface Upserted {
  done: 'added' | 'replaced' | 'unchanged';
  /** The earlier records of the name, for the history and for undo. */
  before: DnsRecord[];
}

export interface UpsertOptions {
  replace?: boolean;
  ahead?: (inTheWay: readonly DnsRecord[]) => Promise<void>;
}

/**
 * The provider of a zone. Failures are DomainErrors: `upstream` with a stable code (`detail.code`), `unavailable` with
 * `detail.retryAfter` if the provider asks to wait, `conflict` with the existing records in `detail.current`.
 */
export interface DnsProvider {
  /**
   * Makes sure that the record exists and that no other record of the name leads elsewhere. Idempotent. An existing
   * record keeps its TTL.
   *
   * @param options.ahead called with the records to be replaced, before anything is changed; if it throws, nothing is
   * changed
   * @throws DomainError `conflict` if other records exist and `replace` is not set; nothing is changed
   */
  upsert(record: DnsRecord, options?: UpsertOptions): Promise<Upserted>;
  /** Removes the record with this name, type and value, and no other. */
  remove(record: Omit<DnsRecord, 'ttl'>): Promise<{ done: 'removed' | 'was-not-there' }>;
  /**
   * Adds a TXT record beside those that the name has. Idempotent.
   *
   * @throws DomainError `conflict` if the name is an alias: it can have no other record
   */
  addText(record: TextRecord, ttl: number): Promise<void>;
  /** Removes this TXT record and no other. Idempotent. */
  removeText(record: TextRecord): Promise<void>;
  /** The A, AAAA and CNAME records of a name, as the provider itself has them. */
  list(name: string): Promise<DnsRecord[]>;
  /** Changes nothing. @throws DomainError if the provider cannot be reached, does not know the zone, or refuses us */
  check(): Promise<void>;
}

/** The record that points a host name to an address. @throws DomainError `invalid` that names `name` or `ip` */
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

/** @throws DomainError `conflict` if one of the records is an alias */
export const mustBeNoAlias = (name: string, standing: readonly DnsRecord[]): void => {
  const alias = standing.find(({ type }) => type === 'CNAME');
  if (!alias) return;
  const msg = `${name} is an alias of ${alias.value}, so it can have no TXT record: remove that alias first`;
  throw new DomainError('conflict', msg, undefined, { current: standing, code: 'record-stands' });
};

export const isSame = (one: Omit<DnsRecord, 'ttl'>, other: Omit<DnsRecord, 'ttl'>): boolean =>
  one.name === other.name && one.type === other.type && one.value === other.value;

/** A CNAME must be alone (RFC 1034, 3.6.2). A and AAAA do not affect each other. */
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

/** The changes needed for the wanted record. @throws DomainError `conflict`, see `DnsProvider.upsert` */
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

/** @throws DomainError `invalid` if a name is not in the zone */
export const mustLieIn = (zone: string, name: string): void => {
  if (name !== zone && !name.endsWith(`.${zone}`)) {
    const message = `name ${name} is not in the zone ${zone} of the DNS provider`;
    throw new DomainError('invalid', message, { name: message });
  }
};
