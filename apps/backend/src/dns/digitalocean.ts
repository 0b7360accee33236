/** A domain in a DigitalOcean account, changed through its API (domain records, v2). */
import { z } from 'zod';
import { type ApiManner, DigitalOceanClient } from '../digitalocean';
import { addressOf } from '../platform/outbound';
import { hostNameOf } from './host-name';
import { type DnsProvider, type DnsRecord, isSame, mustBeNoAlias, mustLieIn, planUpsert } from './records';
import type { RecordType, TextRecord, Upserted, UpsertOptions } from './records';

const recordShape = z.object({
  id: z.number().int(),
  type: z.string(),
  name: z.string(),
  data: z.string(),
  ttl: z.number().int(),
});
const listShape = z.object({ domain_records: z.array(recordShape) });
type ApiRecord = z.infer<typeof recordShape>;
type Held = DnsRecord & { id: number };
const withoutId = ({ name, type, value, ttl }: Held): DnsRecord => ({ name, type, value, ttl });

const types = new Set(['A', 'AAAA', 'CNAME']);
/** The API takes no shorter one, in seconds. */
const shortestTtl = 30;

export class DigitalOcean implements DnsProvider {
  private readonly zone: string;
  private readonly client: DigitalOceanClient;

  /** @throws DomainError `invalid` if the zone is not a domain name */
  constructor(zone: string, token: string, at: ApiManner) {
    this.zone = hostNameOf(zone, 'zone');
    this.client = new DigitalOceanClient(token, at);
  }

  async upsert(record: DnsRecord, { replace = false, ahead }: UpsertOptions = {}): Promise<Upserted> {
    mustLieIn(this.zone, record.name);
    const held = await this.held(record.name);
    const before = held.map(withoutId);
    const { done, add, remove } = planUpsert(record, before, replace);
    if (done !== 'unchanged') await ahead?.(remove);
    const inTheWay = held.filter((one) => remove.some((other) => isSame(one, other)));
    // A single call that changes the value in place leaves no moment without an answer.
    const changed = add.length > 0 ? inTheWay.find(({ type }) => type === record.type) : undefined;
    if (changed) await this.call('PUT', `/records/${changed.id}`, this.bodyOf(record));
    const rest = inTheWay.filter((one) => one !== changed);
    for (const { id } of rest) await this.call('DELETE', `/records/${id}`, undefined, 404);
    if (add.length > 0 && !changed) await this.create(record, rest);
    return { done, before };
  }

  async remove(record: Omit<DnsRecord, 'ttl'>): ReturnType<DnsProvider['remove']> {
    mustLieIn(this.zone, record.name);
    const held = (await this.held(record.name)).filter((one) => isSame(one, record));
    for (const { id } of held) await this.call('DELETE', `/records/${id}`, undefined, 404);
    return { done: held.length > 0 ? 'removed' : 'was-not-there' };
  }

  async addText({ name, text }: TextRecord, ttl: number): Promise<void> {
    const all = await this.ofName(name);
    mustBeNoAlias(name, this.heldIn(all, name));
    if (this.textsIn(all, text).length > 0) return;
    await this.call('POST', '/records', this.bodyOf({ name, type: 'TXT', value: text, ttl }));
  }

  async removeText({ name, text }: TextRecord): Promise<void> {
    for (const { id } of this.textsIn(await this.ofName(name), text))
      await this.call('DELETE', `/records/${id}`, undefined, 404);
  }

  async list(name: string): Promise<DnsRecord[]> {
    return (await this.held(name)).map(withoutId);
  }

  async check(): Promise<void> {
    await this.call('GET', '');
  }

  /** An alias must be removed before an address can be added. If the address is then refused, the alias is restored. */
  private async create(record: DnsRecord, removed: DnsRecord[]): Promise<void> {
    try {
      await this.call('POST', '/records', this.bodyOf(record));
    } catch (error) {
      for (const one of removed) await this.call('POST', '/records', this.bodyOf(one)).catch(() => undefined);
      throw error;
    }
  }

  private async held(name: string): Promise<Held[]> {
    return this.heldIn(await this.ofName(name), name);
  }

  /** All records of the name. The API returns those of other names, too, if it does not know the filter. */
  private async ofName(name: string): Promise<ApiRecord[]> {
    mustLieIn(this.zone, name);
    const query = `name=${encodeURIComponent(name)}`;
    const pages = await this.client.every(listShape, `${this.path}/records`, query, this.about);
    const records = pages.flatMap(({ domain_records: found }) => found);
    return records.filter((one) => this.wholeNameOf(one) === name);
  }

  private heldIn(records: readonly ApiRecord[], name: string): Held[] {
    return records.flatMap((one) => {
      if (!types.has(one.type)) return [];
      return [{ id: one.id, name, type: one.type as RecordType, value: this.valueOf(one), ttl: one.ttl }];
    });
  }

  private textsIn(records: readonly ApiRecord[], text: string): ApiRecord[] {
    return records.filter(({ type, data }) => type === 'TXT' && data === text);
  }

  private wholeNameOf({ name }: ApiRecord): string {
    return name === '@' ? this.zone : `${name}.${this.zone}`.toLowerCase();
  }

  private valueOf({ type, data }: ApiRecord): string {
    if (type !== 'CNAME') return addressOf(data)?.address ?? data;
    return data === '@' ? this.zone : data.toLowerCase().replace(/\.$/, '');
  }

  private bodyOf({ name, type, value, ttl }: Omit<DnsRecord, 'type'> & { type: ApiRecord['type'] }): object {
    return {
      type,
      name: name === this.zone ? '@' : name.slice(0, -this.zone.length - 1),
      // Without the final dot the target would count as a name below the zone.
      data: type === 'CNAME' ? `${value}.` : value,
      ttl: Math.max(ttl, shortestTtl),
    };
  }

  private get path(): string {
    return `/v2/domains/${encodeURIComponent(this.zone)}`;
  }

  private get about() {
    return {
      unknown: `has no domain ${this.zone} in this account, or no such record`,
      refused: 'the record',
    };
  }

  private async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    accepted?: number,
  ): Promise<void> {
    const more = { ...(body && { body }), ...(accepted !== undefined && { accepted }) };
    await this.client.call(method, `${this.path}${path}`, { ...this.about, ...more });
  }
}
