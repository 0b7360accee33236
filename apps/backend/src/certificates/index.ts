import { Module } from '@nestjs/common';
import { DnsModule } from '../dns';
import { DomainCleanup, DomainsModule } from '../domains';
import { hook } from '../platform/hooks';
import { RunsModule } from '../runs';
import { ServersModule } from '../servers';
import { WebServerModule } from '../webserver';
import { WorkspacesModule } from '../workspaces';
import { Certificates } from './certificates';
import { CertificatesController } from './certificates.controller';
import { DnsProofs } from './dns-proofs';
import { Lineages } from './lineages';
import { RateBudgets } from './budget-history';
import { RenewalPlans } from './renewal-plans';
import { RenewalsController } from './renewals.controller';
import { SslController } from './ssl.controller';
import { SslMonitor } from './ssl-monitor';
import { SslScheduler } from './ssl-scheduler';

/** Certificates of domains, and the monitor that keeps them valid. Their events are in the domains' streams. */
@Module({
  imports: [DnsModule, DomainsModule, RunsModule, ServersModule, WebServerModule, WorkspacesModule],
  controllers: [CertificatesController, RenewalsController, SslController],
  providers: [
    Certificates,
    DnsProofs,
    Lineages,
    RateBudgets,
    RenewalPlans,
    SslMonitor,
    SslScheduler,
    hook({
      on: DomainCleanup,
      by: Certificates,
      does: ({ cleanUp, cleanUpLeft }) => ({ domain: cleanUp, left: cleanUpLeft }),
    }),
  ],
})
export class CertificatesModule {}
