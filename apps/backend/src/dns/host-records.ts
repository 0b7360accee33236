/** Gives an address to names below the workspace's parent. Every change of a zone is recorded before it is made. */
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { dnsHostAdd } from '@quarterdeck/events/inputs';
import { v5 as uuidv5 } from 'uuid';
import type { z } from 'zod';
import { written, type Written } from '../platform/http';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import {
  ConfirmRecord,
  dnsRecordsDecider,
  RecordAddition,
  RecordFailure,
  RequestRecord,
} from './dns-records.decider';
import { joinHostName } from './host-name';
import { addressRecord, type DnsRecord } from './records';
import { WorkspaceDns } from './workspace-dns';

export interface HostAdded {
  added: boolean;
  hostname: string;
  replaced?: string;
}

/** The same id in every process, so that all additions of a name are in one stream. */
const recordId = (workspace: string, hostname: string): string => uuidv5(`dnsrecord ${hostname}`, workspace);

const valuesOf = (records: readonly DnsRecord[]): string => records.map(({ value }) => value).join(', ');

@Injectable()
export class HostRecords {
  constructor(
    private readonly commands: CommandBus,
    private readonly dns: WorkspaceDns,
    private readonly decisions: Decisions,
  ) {}

  /** @throws DomainError `conflict` if the name has another address and `replace` is not set */
  async add(
    { name, SLD, TLD, ip, replace = false }: z.infer<typeof dnsHostAdd>,
    meta: CommandMeta,
  ): Promise<HostAdded | Written<HostAdded>> {
    const { provider, kind, zone, parent, ttl } = await this.dns.writer(meta.workspace);
    const hostname = joinHostName({ name, SLD, TLD }, parent);
    const id = recordId(meta.workspace, hostname);
    const record = addressRecord(hostname, ip, ttl);
    const data = { name: hostname, address: record.value, zone, provider: kind };

    const [earlier] = await this.decisions.recordedBy(dnsRecordsDecider, new RecordAddition(id, data, meta));
    if (earlier?.type === 'DnsRecordAdded') {
      const { replaced } = earlier.data;
      return written(
        { added: true, hostname, ...(replaced !== undefined && { replaced }) },
        earlier.position,
      );
    }
    let isAsked = false;
    const ahead = async (inTheWay: readonly DnsRecord[]): Promise<void> => {
      const replaces = valuesOf(inTheWay);
      await this.commands.execute(new RequestRecord(id, { ...data, ...(replaces && { replaces }) }, meta));
      isAsked = true;
    };
    const failed = async (error: unknown): Promise<never> => {
      if (!isAsked || !(error instanceof DomainError)) throw error;
      const failure = new RecordFailure(id, { ...data, reason: error.msg }, meta);
      const { position: recorded }: Decision = await this.commands.execute(failure);
      throw new DomainError(error.code, error.msg, error.data, { ...error.detail, recorded });
    };

    const { done, before } = await provider.upsert(record, { replace, ahead }).catch(failed);
    if (done === 'unchanged') {
      const answer = { added: false, hostname };
      const confirm = new ConfirmRecord(id, { address: record.value }, meta);
      const { position, written: told }: Decision = await this.commands.execute(confirm);
      return told > 0 ? written(answer, position) : answer;
    }
    const replaced = done === 'replaced' ? { replaced: valuesOf(before) } : {};
    const addition = new RecordAddition(id, { ...data, ...replaced }, meta);
    const { position }: Decision = await this.commands.execute(addition);
    return written({ added: true, hostname, ...replaced }, position);
  }
}
