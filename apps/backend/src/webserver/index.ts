import { Module } from '@nestjs/common';
import { DomainsModule, PendingChanges } from '../domains';
import { hook } from '../platform/hooks';
import { RunsModule } from '../runs';
import { ServersModule } from '../servers';
import { LiveFiles } from './live-files';
import { LocationWork } from './location-work';
import { LocationWorkController } from './location-work.controller';
import { configurationWriter } from './pending-lines';
import { ServerSites } from './server-sites';
import { SitesController } from './sites.controller';
import { SiteLooks } from './site-look-work';
import { SiteWatch } from './site-watch';
import { Sites } from './sites';

export { siteChangeConstants } from './apply-scripts/apply';
export { applyExit } from './apply-scripts/apply-exit';
export { applySteps, minutes, removeStep } from './apply-steps';
export { block, comment, directive, pattern, print, text, variable, type Statement } from './nginx-tree';
export { dockerNames, isNamedIn } from './site-config';
export { drifted } from './site-refusals';
export { newText, serverOf, siteInputOf, type SiteInput } from './site-input';
export { hidden } from './site-locations';
export { acmeWebroot, siteLogFolder, type Site } from './site-model';
export { DOCKER_NETWORK } from './site-compose';
export { ServerSites, type ServedBeside } from './server-sites';
export { chosenLineage, ownLineage, withLineage, type Lineage, type LineageChoice } from './site-lineage';
export { SiteWatch } from './site-watch';
export { siteOf, type SiteOptions } from './site-of';
export { Sites, type Started } from './sites';

/** What the nginx of a server serves for its domains. The events are in the domains' streams. */
@Module({
  imports: [DomainsModule, RunsModule, ServersModule],
  controllers: [SitesController, LocationWorkController],
  providers: [
    LiveFiles,
    LocationWork,
    ServerSites,
    SiteLooks,
    SiteWatch,
    Sites,
    hook({ on: PendingChanges, by: Sites, does: () => configurationWriter }),
  ],
  exports: [ServerSites, Sites],
})
export class WebServerModule {}
