/** Domains at the provider, and their records. Changes that the console makes are recorded. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { EventData, Position } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { isAnswerLost } from '../digitalocean';
import { WorkspaceDns } from '../dns';
import { DomainError, notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';
import { RecordZoneChange } from './cloud-databases.decider';
import { CloudGround } from './cloud-ground';
import { lastSeen } from './cloud.queries';
import type { CloudProvider, ZoneRecord } from './provider';
import { addressRecords } from './zone-file';

const TTL = 1800;
/** Names that are looked up for one difference, and how many at a time. */
const MAX_NAMES = 200;
const AT_ONCE = 10;

export interface RecordFields {
  domain: string;
  type: string;
  name: string;
  data: string;
  ttl?: number | undefined;
  priority?: number | undefined;
}

const wholeName = (name: string, domain: string): string => (name === '@' ? domain : `${name}.${domain}`);
const shown = (record: ZoneRecord, domain: string) => ({ ...record, host: wholeName(record.name, domain) });
/** Names and mail servers end with a dot at the provider: without it, they would be names below the domain. */
const dotted = (type: string, data: string): string =>
  (type === 'CNAME' || type === 'MX') && data !== '@' && !data.endsWith('.') ? `${data}.` : data;

const fieldsOf = ({ type, name, data, ttl = TTL, priority }: RecordFields): Omit<ZoneRecord, 'record'> => ({
  type,
  name,
  data: dotted(type, data),
  ttl,
  ...((priority !== undefined || type === 'MX') && { priority: priority ?? 10 }),
});
const isSame = (one: ZoneRecord, wanted: Omit<ZoneRecord, 'record'>): boolean =>
  one.type === wanted.type &&
  one.name === wanted.name &&
  one.data.replace(/\.$/, '') === wanted.data.replace(/\.$/, '');
const isWholly = (one: ZoneRecord, wanted: Omit<ZoneRecord, 'record'>): boolean =>
  isSame(one, wanted) &&
  one.ttl === wanted.ttl &&
  (wanted.priority === undefined || one.priority === wanted.priority);

@Injectable()
export class CloudZones {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(CONFIG) private readonly config: Config,
    private readonly ground: CloudGround,
    private readonly commands: CommandBus,
    private readonly dns: WorkspaceDns,
  ) {}

  async list(workspace: string) {
    const { zones } = await lastSeen(this.db, workspace);
    const pages = this.config.DIGITALOCEAN_URL.replace(/\/+$/, '');
    return zones.map(({ name, ttl, zoneFile }) => ({
      name,
      ...(ttl !== undefined && { ttl }),
      ...(zoneFile !== undefined && { zone_file: zoneFile }),
      url: `${pages}/networking/domains/${encodeURIComponent(name)}`,
      records: addressRecords(zoneFile ?? ''),
    }));
  }

  async records(domain: string, workspace: string) {
    const provider = await this.ground.provider(workspace, { waitSeconds: 3 });
    return (await provider.records(domain)).map((record) => shown(record, domain));
  }

  async add(given: RecordFields, meta: CommandMeta) {
    const { domain } = given;
    const provider = await this.ground.provider(meta.workspace, { waitSeconds: 3 });
    const fields = fieldsOf(given);
    const before = await provider.records(domain);
    if (before.some((one) => isSame(one, fields)))
      throw new DomainError('conflict', `${domain} has this record already`);
    const made = await this.settled(
      () => provider.addRecord(domain, fields),
      async () => (await provider.records(domain)).find((one) => isSame(one, fields)),
    );
    return this.recorded({ type: 'CloudRecordAdded', data: dataOf(domain, made) }, made, meta);
  }

  async change({ record, ...given }: RecordFields & { record: number }, meta: CommandMeta) {
    const { domain } = given;
    const provider = await this.ground.provider(meta.workspace, { waitSeconds: 3 });
    const before = await this.find(provider, domain, record);
    const fields = fieldsOf(given);
    const made = await this.settled(
      () => provider.changeRecord(domain, { record, ...fields }),
      async () =>
        (await provider.records(domain)).find((one) => one.record === record && isWholly(one, fields)),
    );
    const data = { ...dataOf(domain, made), before: before.data };
    return this.recorded({ type: 'CloudRecordChanged', data }, made, meta);
  }

  async remove(
    { domain, record }: { domain: string; record: number },
    meta: CommandMeta,
  ): Promise<{ position: Position }> {
    const provider = await this.ground.provider(meta.workspace, { waitSeconds: 3 });
    const before = await this.find(provider, domain, record);
    await this.settled(
      async () => {
        await provider.deleteRecord(domain, record);
        return true;
      },
      async () => ((await provider.records(domain)).some((one) => one.record === record) ? undefined : true),
    );
    return this.recorded({ type: 'CloudRecordRemoved', data: dataOf(domain, before) }, before, meta);
  }

  /** The A records of a domain beside what their names resolve to. */
  async difference(domain: string, workspace: string) {
    const provider = await this.ground.provider(workspace, { waitSeconds: 3 });
    const expected = new Map<string, string[]>();
    for (const { type, name, data } of await provider.records(domain))
      if (type === 'A') {
        const host = wholeName(name, domain);
        expected.set(host, [...new Set([...(expected.get(host) ?? []), data])].toSorted());
      }
    const names = [...expected].slice(0, MAX_NAMES);
    const rest = [...expected].slice(MAX_NAMES);
    const all: { host: string; expected: string[]; resolved: string[]; same: boolean; problem?: string }[] =
      [];
    for (let from = 0; from < names.length; from += AT_ONCE) {
      const part = names.slice(from, from + AT_ONCE);
      all.push(...(await Promise.all(part.map(([host, ips]) => this.compared(host, ips, workspace)))));
    }
    const problem = `not looked up: only the first ${MAX_NAMES} names are compared`;
    return [
      ...all,
      ...rest.map(([host, ips]) => ({ host, expected: ips, resolved: [], same: false, problem })),
    ];
  }

  private async compared(host: string, expected: string[], workspace: string) {
    // A wildcard stands for every name that has no record of its own.
    const found = await this.dns.lookUp(host.replace(/^\*\./, 'quarterdeck-wildcard.'), workspace);
    const addresses = found.is === 'found' ? found.addresses : [];
    const resolved = addresses
      .filter(({ family }) => family === 4)
      .map(({ address }) => address)
      .toSorted();
    const same = resolved.join(' ') === expected.join(' ');
    return { host, expected, resolved, same, ...(found.is === 'failed' && { problem: found.reason }) };
  }

  /** A lost answer is settled by looking, never by asking twice. */
  private async settled<T>(make: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
    try {
      return await make();
    } catch (error) {
      if (!isAnswerLost(error)) throw error;
      const found = await find();
      if (found === undefined) throw error;
      return found;
    }
  }

  private async find(provider: CloudProvider, domain: string, record: number): Promise<ZoneRecord> {
    const found = (await provider.records(domain)).find((one) => one.record === record);
    if (!found) throw notFound('record');
    return found;
  }

  private async recorded(
    change: RecordZoneChange['data'],
    made: ZoneRecord,
    meta: CommandMeta,
  ): Promise<{ record: ReturnType<typeof shown>; position: Position }> {
    const { domain } = change.data;
    const id = uuidv5(`digitalocean domain ${domain}`, meta.workspace);
    const { position } = await this.commands.execute(new RecordZoneChange(id, change, meta));
    return { record: shown(made, domain), position };
  }
}

const dataOf = (
  domain: string,
  { record, type, name, data, ttl }: ZoneRecord,
): EventData<'CloudRecordAdded'> => ({ domain, record, type, name, data, ttl });
