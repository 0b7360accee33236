import { Module } from '@nestjs/common';
import { service } from '@quarterdeck/events';
import { DnsModule } from '../dns';
import { deciderHandlers } from '../platform/decisions';
import { hook } from '../platform/hooks';
import { referring } from '../platform/kit';
import { RunsModule } from '../runs';
import { afterServerRemoval, beforeServerMove, ServersModule, withServerRestoration } from '../servers';
import { DnsWatch } from './dns-watch';
import { DomainCleanup } from './domain-cleanup';
import { DomainNames } from './domain-names';
import { DomainRegistry } from './domain-registry';
import { DomainUndo } from './domain-undo';
import { domainsDecider } from './domains.decider';
import { DomainsController } from './domains.controller';
import { LinkedLocations } from './linked-locations';
import { LocationsController } from './locations.controller';
import { PendingChanges } from './pending-changes';
import { RemovedServers } from './removed-servers';
import { SiteFolders } from './site-folders';

export {
  IssueCertificate,
  RecordServed,
  RecordWastedOrder,
  RefuseCertificate,
  RemoveCertificate,
} from './domain-certificate';
export { DnsWatch } from './dns-watch';
export { RecordSiteAnswer, type SiteAnswer } from './domain-site-answer';
export { Rounds } from './rounds';
export { RoundsByLease } from './rounds-by-lease';
export { DomainCleanup, type StartCleanup, type StartLeftCleanup } from './domain-cleanup';
export { refusalOf } from './domain-pointing';
export { AddLocation, locationOf, RemoveLocation, ReviseLocation, type Location } from './domain-locations';
export { beforeDomainMove, DomainRegistry, isGone, type DomainFields } from './domain-registry';
export { AdoptConfig, RecordAppliedConfig, RecordConfigRemoval, RecordFoundConfig } from './domain-config';
export { expiringDomains, type ExpiringDomain } from './domains.queries';
export {} from './locations.queries';
export {
  domainsDecider,
  RecordLeftRemoval,
  RemoveDomain,
  type DomainOfWorkspace,
  type DomainState,
  type LeftOnServer,
  type PresentDomain,
} from './domains.decider';
export {
  domainDetail,
  listDomains,
  listDomainsOfServer,
  liveTexts,
  liveTextsOfServer,
  recordCertificateLook,
  recordLook,
  sitesToWatch,
  watchedSite,
  type SiteToWatch,
  type WatchedSite,
} from './domains.queries';
export { changedPort, locationOwner, locationsAtPorts, locationsOfService } from './locations.queries';
export type { Configured } from './domains.queries';
export { PendingChanges, type ConfigurationWriter } from './pending-changes';

@Module({
  imports: [DnsModule, RunsModule, ServersModule],
  controllers: [DomainsController, LocationsController],
  providers: [
    DnsWatch,
    RemovedServers,
    SiteFolders,
    DomainCleanup,
    DomainNames,
    DomainRegistry,
    DomainUndo,
    LinkedLocations,
    PendingChanges,
    ...deciderHandlers(domainsDecider),
    hook({
      on: afterServerRemoval,
      by: RemovedServers,
      does: (removed) => (server, meta) => removed.removeDomainsOf(server, meta),
    }),
    hook({
      on: beforeServerMove,
      by: SiteFolders,
      does: (folders) => (server, workspace) => folders.refuseMove(server, workspace),
    }),
    hook({
      on: referring(service),
      by: LinkedLocations,
      does: (linked) => (services, workspace) => linked.names(services, workspace),
    }),
    hook({
      on: withServerRestoration,
      by: DomainUndo,
      does: (undo) => (undone) => undo.domainsWithServer(undone),
    }),
  ],
  exports: [DomainCleanup, DomainRegistry, PendingChanges],
})
export class DomainsModule {}
