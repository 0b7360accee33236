import { Body, Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dnsHostAdd, ipFromHostname } from '@quarterdeck/events/inputs';
import { v5 as uuidv5 } from 'uuid';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { written } from '../platform/answers';
import type { Decision } from '../platform/decider';
import type { CommandMeta, Session } from '../platform/session';
import { valid } from '../platform/validation';
import { RecordAddition } from './dns-records.decider';
import { joinHostName } from './host-name';
import { addressRecord } from './records';
import { WorkspaceDns } from './workspace-dns';

/** The same in every process, so that all additions of a name stand in one stream. */
const recordId = (workspace: string, hostname: string): string => uuidv5(`dnsrecord ${hostname}`, workspace);

@Controller('dns')
export class DnsController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(WorkspaceDns) private readonly dns: WorkspaceDns,
  ) {}

  @Get('ipFromHostname')
  @Access('admin', { summary: 'What DNS says about a host name now' })
  async ipFromHostname(
    @CurrentSession() { workspace }: Session,
    @Query(valid(ipFromHostname)) { hostname }: z.infer<typeof ipFromHostname>,
  ) {
    const answer = await this.dns.lookUp(hostname, workspace);
    const timestamp = new Date().toISOString();
    if (answer.is === 'found')
      return { ...answer.addresses[0], timestamp, outcome: answer.is, addresses: answer.addresses };
    const reason =
      answer.is === 'failed'
        ? answer.reason
        : answer.because === 'no-such-name'
          ? 'this name does not exist'
          : 'this name has no address';
    return { timestamp, outcome: answer.is, addresses: [], reason };
  }

  @Post('host/add')
  @HttpCode(200)
  @Access('admin', { summary: 'Gives a name below the parent of the workspace an address' })
  async addHost(
    @Meta() meta: CommandMeta,
    @Body(valid(dnsHostAdd)) { name, SLD, TLD, ip, replace = false }: z.infer<typeof dnsHostAdd>,
  ) {
    const { workspace } = meta;
    const { provider, kind, zone, parent, ttl } = await this.dns.writer(workspace);
    const hostname = joinHostName({ name, SLD, TLD }, parent);
    const record = addressRecord(hostname, ip, ttl);
    const { done, before } = await provider.upsert(record, { replace });
    if (done === 'unchanged') return { added: false, hostname };
    const replaced = done === 'replaced' ? before.map(({ value }) => value).join(', ') : undefined;
    const data = {
      name: hostname,
      address: record.value,
      zone,
      provider: kind,
      ...(replaced && { replaced }),
    };
    const added = new RecordAddition(recordId(workspace, hostname), data, meta);
    const { position }: Decision = await this.commands.execute(added);
    return written({ added: true, hostname, ...(replaced && { replaced }) }, position);
  }
}
