import { Body, Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { dnsHostAdd, ipFromHostname } from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import type { CommandMeta, Session } from '../platform/session';
import { valid } from '../platform/validation';
import { HostRecords } from './host-records';
import { WorkspaceDns } from './workspace-dns';

@Controller('dns')
export class DnsController {
  constructor(
    @Inject(WorkspaceDns) private readonly dns: WorkspaceDns,
    @Inject(HostRecords) private readonly records: HostRecords,
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
  addHost(@Meta() meta: CommandMeta, @Body(valid(dnsHostAdd)) input: z.infer<typeof dnsHostAdd>) {
    return this.records.add(input, meta);
  }
}
