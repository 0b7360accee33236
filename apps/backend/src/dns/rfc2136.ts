/** A zone on one's own name server, changed by dynamic updates (RFC 2136) that are signed with a shared key. */
import { randomInt } from 'node:crypto';
import { DomainError } from '../platform/errors';
import type { Outbound } from '../platform/outbound';
import type { Rfc2136Settings } from './dns.settings';
import { hostNameOf } from './host-name';
import * as wire from './message';
import { exchange } from './message-exchange';
import {
  type Change,
  type DnsProvider,
  type DnsRecord,
  isSame,
  mustBeNoAlias,
  mustLieIn,
  planUpsert,
  type RecordType,
  type TextRecord,
  type Upserted,
  type UpsertOptions,
} from './records';
import { sign, type Signature, type TsigKey, verify } from './tsig';

const types: RecordType[] = ['A', 'AAAA', 'CNAME'];

const ofText = [wire.typeNumber.TXT, wire.classNumber.IN] as const;

const rcodes: Record<number, [code: string, words: string]> = {
  1: ['FORMERR', 'did not understand the message'],
  2: ['SERVFAIL', 'failed; see the log of that server'],
  3: ['NXDOMAIN', 'does not know the name'],
  4: ['NOTIMP', 'does not accept dynamic updates'],
  5: ['REFUSED', 'does not allow this key to change the zone'],
  6: ['YXDOMAIN', 'found records that should not exist'],
  7: ['YXRRSET', 'found records that should not exist'],
  8: ['NXRRSET', 'found that the records have just changed'],
  9: ['NOTAUTH', 'is not the primary server of this zone'],
  10: ['NOTZONE', 'says that the name is outside the zone'],
};
const tsigErrors: Record<number, [code: string, words: string]> = {
  16: ['BADSIG', 'has a different secret for this key'],
  17: ['BADKEY', 'does not know this key, or expects another algorithm'],
  18: ['BADTIME', 'has a clock that differs by more than five minutes'],
  22: ['BADTRUNC', 'does not accept signatures of this length'],
};
const changedMeanwhile = new Set(['YXDOMAIN', 'YXRRSET', 'NXRRSET', 'NXDOMAIN']);

/** Reads a secret as `tsig-keygen` prints it. @throws DomainError `invalid` that names `secret` */
export const readTsigSecret = (secret: string): Buffer => {
  const text = secret.trim();
  const message = 'secret is not the base64 text that tsig-keygen prints behind "secret"';
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(text) || text.length % 4 !== 0)
    throw new DomainError('invalid', message, { secret: message });
  return Buffer.from(text, 'base64');
};

export class Rfc2136 implements DnsProvider {
  private readonly key: TsigKey;
  private readonly zone: string;
  private readonly place: string;

  /**
   * @param secret in base64
   * @param timing milliseconds for one round trip; the clock in milliseconds
   * @throws DomainError `invalid` if zone, key name or secret are unusable
   */
  constructor(
    private readonly settings: Omit<Rfc2136Settings, 'kind' | 'secretRef'>,
    secret: string,
    private readonly outbound: Outbound,
    private readonly timing: { timeoutMs: number; now: () => number } = { timeoutMs: 5000, now: Date.now },
  ) {
    this.zone = hostNameOf(settings.zone, 'zone');
    const name = hostNameOf(settings.keyName, 'keyName');
    this.key = { name, algorithm: settings.algorithm, secret: readTsigSecret(secret) };
    this.place = `${settings.server}:${settings.port}`;
  }

  async upsert(record: DnsRecord, { replace = false, ahead }: UpsertOptions = {}): Promise<Upserted> {
    mustLieIn(this.zone, record.name);
    for (let attempt = 1; ; attempt += 1) {
      const before = await this.list(record.name);
      const change = planUpsert(record, before, replace);
      if (change.done === 'unchanged') return { done: change.done, before };
      await ahead?.(change.remove);
      try {
        await this.update(record.name, before, change);
      } catch (error) {
        // Somebody else was faster, and the server has changed nothing. Plan again from the current records.
        if (attempt < 3 && error instanceof DomainError && changedMeanwhile.has(error.detail.code ?? ''))
          continue;
        throw error;
      }
      const after = await this.list(record.name);
      if (after.some((one) => isSame(one, record))) return { done: change.done, before };
      throw this.failed(
        'IGNORED',
        `accepted ${record.type} ${record.value} but did not store it; check which other records the name has`,
      );
    }
  }

  async remove(record: Omit<DnsRecord, 'ttl'>): ReturnType<DnsProvider['remove']> {
    mustLieIn(this.zone, record.name);
    const before = await this.list(record.name);
    if (!before.some((one) => isSame(one, record))) return { done: 'was-not-there' };
    await this.send('update', this.zone, wire.typeNumber.SOA, [[], [this.without(record)], []]);
    return { done: 'removed' };
  }

  async addText({ name, text }: TextRecord, ttl: number): Promise<void> {
    mustLieIn(this.zone, name);
    // The server would silently ignore an addition to an alias.
    mustBeNoAlias(name, await this.list(name));
    await this.changeText(wire.writeRecord(name, ...ofText, ttl, wire.writeText(text)));
  }

  async removeText({ name, text }: TextRecord): Promise<void> {
    mustLieIn(this.zone, name);
    const { NONE } = wire.classNumber;
    await this.changeText(wire.writeRecord(name, wire.typeNumber.TXT, NONE, 0, wire.writeText(text)));
  }

  async list(name: string): Promise<DnsRecord[]> {
    mustLieIn(this.zone, name);
    const answers = await Promise.all(
      types.map(async (type) => {
        const answer = await this.send('query', name, wire.typeNumber[type]);
        return this.understood(() =>
          answer.sections[0]
            .filter((one) => one.type === wire.typeNumber[type] && one.name === name)
            .map((one) => ({ name, type, value: wire.readData(type, answer, one), ttl: one.ttl })),
        );
      }),
    );
    return answers.flat();
  }

  /** Sends an update without changes: the server still checks zone, key and permission. */
  async check(): Promise<void> {
    await this.send('update', this.zone, wire.typeNumber.SOA);
  }

  /** Without conditions: what is there already is added, or what is gone is removed, without an error (RFC 2136, 3.4.2). */
  private async changeText(record: Buffer): Promise<void> {
    await this.send('update', this.zone, wire.typeNumber.SOA, [[], [record], []]);
  }

  private without({ name, type, value }: Omit<DnsRecord, 'ttl'>): Buffer {
    return wire.writeRecord(
      name,
      wire.typeNumber[type],
      wire.classNumber.NONE,
      0,
      wire.writeData(type, value),
    );
  }

  /** Atomic, and only if the name still has exactly the records that the plan was made from. */
  private async update(name: string, before: DnsRecord[], { remove, add }: Change): Promise<void> {
    const conditions = types.flatMap((type) => {
      const there = before.filter((one) => one.type === type);
      const { IN, NONE } = wire.classNumber;
      if (there.length === 0) return [wire.writeRecord(name, wire.typeNumber[type], NONE, 0)];
      return there.map(({ value }) =>
        wire.writeRecord(name, wire.typeNumber[type], IN, 0, wire.writeData(type, value)),
      );
    });
    const added = add.map(({ type, value, ttl }) =>
      wire.writeRecord(name, wire.typeNumber[type], wire.classNumber.IN, ttl, wire.writeData(type, value)),
    );
    const changes = [...remove.map((one) => this.without(one)), ...added];
    await this.send('update', this.zone, wire.typeNumber.SOA, [conditions, changes, []]);
  }

  private async send(
    kind: 'query' | 'update',
    name: string,
    type: number,
    sections: [Buffer[], Buffer[], Buffer[]] = [[], [], []],
  ): Promise<wire.Message> {
    const seconds = (): number => Math.floor(this.timing.now() / 1000);
    const id = randomInt(65_536);
    const message = wire.writeMessage(id, kind, wire.writeQuestion(name, type), sections);
    const { signed, mac } = sign(message, this.key, seconds());
    const { server, port } = this.settings;
    const target = await this.outbound.reach({ host: server, port });
    const bytes = await exchange(target, signed, this.timing.timeoutMs);
    const answer = this.understood(() => wire.readMessage(bytes));
    if (answer.id !== id || !answer.isResponse || answer.opcode !== wire.opcode[kind])
      throw this.failed('BADRESP', 'answered a different message');
    this.judge(
      kind,
      answer,
      this.understood(() => verify(answer, this.key, mac, seconds())),
    );
    return answer;
  }

  private judge(kind: 'query' | 'update', { rcode }: wire.Message, signature: Signature): void {
    const [tsigCode, tsigWords] = tsigErrors[signature.error] ?? [];
    if (tsigCode !== undefined)
      throw this.failed(tsigCode, `${tsigWords}: ${this.key.name} (${this.key.algorithm})`);
    if (signature.is === 'wrong')
      throw this.failed('BADSIG', `signed its answer with a key other than ${this.key.name}`);
    const isAnswered = rcode === 0 || (kind === 'query' && rcode === 3);
    if (!isAnswered) {
      const [code, words] = rcodes[rcode] ?? [`RCODE${rcode}`, `answered with the code ${rcode}`];
      throw this.failed(code, `${words} (${code}, zone ${this.zone}, key ${this.key.name})`);
    }
    if (signature.is === 'absent')
      throw this.failed('UNSIGNED', 'did not sign its answer, so the answer cannot be trusted');
  }

  private understood<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      // Checked by name: Node's buffers throw the RangeError of their own realm.
      if ((error as Error).name === 'RangeError')
        throw this.failed('BADRESP', 'did not answer with a DNS message');
      throw error;
    }
  }

  private failed(code: string, words: string): DomainError {
    return new DomainError('upstream', `the name server ${this.place} ${words}`, undefined, { code });
  }
}
