/** Rules for domains and their records from DigitalOcean's published OpenAPI document (v2). Pure. */
import { isIPv4, isIPv6 } from 'node:net';

export interface StoredRecord {
  id: number;
  type: string;
  name: string;
  data: string;
  priority: number | null;
  port: number | null;
  ttl: number;
  weight: number | null;
  flags: number | null;
  tag: string | null;
}

export interface StoredDomain {
  name: string;
  ttl: number;
  records: StoredRecord[];
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/**
 * The record that a request body describes, or the message of a 422. A change sets "any attribute" that it sends, and
 * keeps the others.
 */
export const recordFrom = (
  body: Record<string, unknown>,
  was: Partial<StoredRecord> & { id: number },
  domain: StoredDomain,
): StoredRecord | string => {
  const { type, name, data, ttl, ...more }: Record<string, unknown> = { ttl: 1800, ...was, ...body };
  if (typeof type !== 'string' || !/^(A|AAAA|CAA|CNAME|MX|NS|SOA|SRV|TXT)$/.test(type))
    return 'Type is invalid.';
  if (typeof name !== 'string' || name === '') return "Name can't be blank";
  if (name.endsWith('.') && !name.endsWith(`${domain.name}.`)) return 'Name must be within the domain.';
  if (typeof data !== 'string' || data === '') return "Data can't be blank";
  if (typeof ttl !== 'number' || ttl < 30) return 'Ttl must be greater than or equal to 30';
  if (type === 'A' && !isIPv4(data)) return 'IP address did not match IPv4 format (e.g. 127.0.0.1).';
  if (type === 'AAAA' && !isIPv6(data))
    return 'IP address did not match IPv6 format (e.g. 2001:db8::ff00:42:8329).';
  // It is stored without the dot.
  if (type === 'CNAME' && 'data' in body && data !== '@' && !data.endsWith('.'))
    return 'Data needs to end with a dot (.)';
  const beside = domain.records.filter((one) => one.name === name && one.id !== was.id);
  if (type === 'CNAME' ? beside.length > 0 : beside.some((one) => one.type === 'CNAME'))
    return 'CNAME records cannot share a name with other records';
  if (beside.some((one) => one.type === type && one.data === data)) return 'Record already exists';
  return {
    id: was.id,
    type,
    name,
    data: data.replace(/\.$/, ''),
    priority: numberOrNull(more['priority']),
    port: numberOrNull(more['port']),
    ttl,
    weight: numberOrNull(more['weight']),
    flags: numberOrNull(more['flags']),
    tag: typeof more['tag'] === 'string' ? more['tag'] : null,
  };
};

export const wholeName = (record: StoredRecord, domain: StoredDomain): string =>
  record.name === '@' ? domain.name : `${record.name}.${domain.name}`;

export const zoneFile = (domain: StoredDomain): string =>
  [
    `$ORIGIN ${domain.name}.`,
    `$TTL ${domain.ttl}`,
    `${domain.name}. IN SOA ns1.digitalocean.com. hostmaster.${domain.name}. 1415982609 10800 3600 604800 1800`,
    ...domain.records.map((one) => `${wholeName(one, domain)}. ${one.ttl} IN ${one.type} ${one.data}`),
    '',
  ].join('\n');

/** The requested page of a list, with its `links` and `meta`. 20 entries per page by default, at most 200. */
export const pageOf = <T>(all: T[], url: URL): { part: T[]; links: object; meta: object } => {
  const size = Math.min(200, Math.max(1, Number(url.searchParams.get('per_page')) || 20));
  const page = Math.max(1, Number(url.searchParams.get('page')) || 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const at = (number: number): string => {
    const there = new URL(url);
    there.searchParams.set('page', String(number));
    return there.href;
  };
  const pages = {
    ...(page > 1 ? { first: at(1), prev: at(page - 1) } : {}),
    ...(page < last ? { next: at(page + 1), last: at(last) } : {}),
  };
  return {
    part: all.slice((page - 1) * size, page * size),
    links: Object.keys(pages).length > 0 ? { pages } : {},
    meta: { total: all.length },
  };
};
