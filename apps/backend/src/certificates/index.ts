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

export { type Attempted, RateBudgets } from './budget-history';
export { Certificates } from './certificates';
export { paced } from './pace';
export { type RenewalPlan, RenewalPlans } from './renewal-plans';
export { type LookDeps, type Served, foundOf, lookAt } from './tls-look';

/** Certificates of domains. Their events are in the domains' streams. */
@Module({
  imports: [DnsModule, DomainsModule, RunsModule, ServersModule, WebServerModule, WorkspacesModule],
  controllers: [CertificatesController, RenewalsController],
  providers: [
    Certificates,
    DnsProofs,
    Lineages,
    RateBudgets,
    RenewalPlans,
    hook({
      on: DomainCleanup,
      by: Certificates,
      does: ({ cleanUp, cleanUpLeft }) => ({ domain: cleanUp, left: cleanUpLeft }),
    }),
  ],
  exports: [Certificates, RateBudgets, RenewalPlans],
})
export class CertificatesModule {}
