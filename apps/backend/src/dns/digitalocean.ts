/** A domain in a DigitalOcean account, changed through its API (domain records, v2). */
import { z } from 'zod';
import { DomainError } from '../platform/errors';
import { addressOf, callOut, hostOf, type Outbound, type OutboundAnswer } from '../platform/outbound';
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
const listShape = z.object({
  domain_records: z.array(recordShape),
  links: z.object({ pages: z.object({ next: z.string().optional() }).optional() }).optional(),
});
type ApiRecord = z.infer<typeof recordShape>;
type Held = DnsRecord & { id: number };
const withoutId = ({ name, type, value, ttl }: Held): DnsRecord => ({ name, type, value, ttl });

const errorShape = z.object({ id: z.string(), message: z.string() });
const types = new Set(['A', 'AAAA', 'CNAME']);
/** Limits of the API: 200 records per page, and at least 30 seconds of TTL. */
const pageSize = 200;
const shortestTtl = 30;
const maxPages = 50;

/** The API's own error message, if any, without its request id, which helps nobody here. */
const saidIn = ({ text }: OutboundAnswer): string => {
  try {
    const said = errorShape.safeParse(JSON.parse(text));
    return said.success ? `: ${said.data.message.slice(0, 300)}` : '';
  } catch {
    return '';
  }
};

/** Seconds to wait: Retry-After for bursts. For the hourly quota the API only says when it is renewed. */
const patience = ({ headers }: OutboundAnswer, nowMs: number): number => {
  const after = Number(headers['retry-after']);
  if (Number.isFinite(after) && after > 0) return Math.ceil(after);
  const reset = Number(headers['ratelimit-reset']) - nowMs / 1000;
  return Number.isFinite(reset) && reset > 0 ? Math.ceil(reset) : 60;
};

const inWords = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;

export class DigitalOcean implements DnsProvider {
  private readonly zone: string;
  private readonly outbound: Outbound;

  /**
   * @param at.url DIGITALOCEAN_API_URL; it comes from the environment, so it needs no entry in OUTBOUND_ALLOW
   * @throws DomainError `invalid` if the zone is not a domain name
   */
  constructor(
    zone: string,
    private readonly token: string,
    private readonly at: { url: string; outbound: Outbound; timeoutMs?: number; now?: () => number },
  ) {
    this.zone = hostNameOf(zone, 'zone');
    this.outbound = at.outbound.alsoTo(hostOf(at.url));
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
    const records: ApiRecord[] = [];
    for (let page = 1; page <= maxPages; page += 1) {
      const query = new URLSearchParams({ name, per_page: String(pageSize), page: String(page) });
      const answer = await this.call('GET', `/records?${query.toString()}`);
      const { domain_records: found, links } = this.understood(answer);
      records.push(...found);
      // Uses the number of the next page, not its address: an answer must not decide where the token is sent.
      if (links?.pages?.next === undefined) return records.filter((one) => this.wholeNameOf(one) === name);
    }
    throw this.failed('TOOLONG', `lists more than ${maxPages * pageSize} records of ${name}, without end`);
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

  private understood(answer: OutboundAnswer): z.infer<typeof listShape> {
    try {
      return listShape.parse(JSON.parse(answer.text));
    } catch {
      throw this.failed('BADRESP', 'did not answer with a list of records');
    }
  }

  /** @param accepted a status that also counts as success */
  private async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    accepted?: number,
  ): Promise<OutboundAnswer> {
    const answer = await callOut(this.outbound, {
      url: `${this.at.url.replace(/\/+$/, '')}/v2/domains/${encodeURIComponent(this.zone)}${path}`,
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      timeoutMs: this.at.timeoutMs ?? 15_000,
    });
    if ((answer.status >= 200 && answer.status < 300) || answer.status === accepted) return answer;
    throw this.refusal(answer);
  }

  private refusal(answer: OutboundAnswer): DomainError {
    const said = saidIn(answer);
    switch (answer.status) {
      case 401:
        return this.failed('UNAUTHORIZED', 'does not accept the token: enter a new one');
      case 403:
        return this.failed('FORBIDDEN', `does not allow this token to do that${said}`);
      case 404:
        return this.failed('NOTFOUND', `has no domain ${this.zone} in this account, or no such record`);
      case 422:
        return this.failed('UNPROCESSABLE', `refused the record${said}`);
      case 429: {
        const retryAfter = patience(answer, (this.at.now ?? Date.now)());
        const msg = `DigitalOcean limits the calls of this account: try again in ${inWords(retryAfter)}`;
        return new DomainError('unavailable', msg, undefined, { code: 'TOOMANY', retryAfter });
      }
      default:
        return this.failed(`HTTP${answer.status}`, `answered with status ${answer.status}${said}`);
    }
  }

  private failed(code: string, words: string): DomainError {
    return new DomainError('upstream', `DigitalOcean ${words}`, undefined, { code });
  }
}
