import { Module } from '@nestjs/common';
import { deciderHandlers } from '../platform/decisions';
import { WorkspacesModule } from '../workspaces';
import { dnsRecordsDecider } from './dns-records.decider';
import { DnsUndo } from './dns-undo';
import { DnsSetup } from './dns-setup';
import { DnsSetupController } from './dns-setup.controller';
import { DnsController } from './dns.controller';
import { HostRecords } from './host-records';
import { WorkspaceDns } from './workspace-dns';

export { hostToAsk, challengeName, type TextAnswer } from './challenge';
export { DigitalOcean } from './digitalocean';
export { lookUp, type LookUp } from './look-up';
export { LookUps } from './workspace-look-up';
export { pointing } from './pointing';
export { addressRecord, type DnsRecord, type TextRecord } from './records';
export { Rfc2136 } from './rfc2136';
export { HostRecords } from './host-records';
export { splitHostName } from './host-name';
export { WorkspaceDns, type Pointing } from './workspace-dns';

@Module({
  imports: [WorkspacesModule],
  controllers: [DnsController, DnsSetupController],
  providers: [WorkspaceDns, HostRecords, DnsSetup, DnsUndo, ...deciderHandlers(dnsRecordsDecider)],
  exports: [HostRecords, WorkspaceDns],
})
export class DnsModule {}
