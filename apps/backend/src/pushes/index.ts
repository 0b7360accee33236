/** Deploys that a push to the source host starts: its webhook, the rules of services, and approvals. */
import { Module } from '@nestjs/common';
import { deployRule, service } from '@quarterdeck/events';
import { AlertsModule } from '../alerts';
import { DeploysModule } from '../deploys';
import { deciderHandlers } from '../platform/decisions';
import { hook } from '../platform/hooks';
import { afterRemoval, plain } from '../platform/kit';
import { RunsModule } from '../runs';
import { ServicePackagesModule } from '../service-packages';
import { PushDeliveries } from './push-deliveries';
import { PushDoor } from './push-door';
import { PushRefusals } from './push-refusals';
import { PushTokens } from './push-tokens';
import { PushWork } from './push-work';
import { PushesController } from './pushes.controller';
import { pushesDecider } from './pushes.decider';

const rules = plain(deployRule);

@Module({
  imports: [AlertsModule, DeploysModule, RunsModule, ServicePackagesModule],
  controllers: [...rules.controllers, PushesController],
  providers: [
    ...rules.providers,
    ...deciderHandlers(pushesDecider),
    PushDeliveries,
    PushDoor,
    PushRefusals,
    PushTokens,
    PushWork,
    // A restored service gets new secrets.
    hook({
      on: afterRemoval(service),
      by: PushTokens,
      does: (tokens) => (id, meta) => tokens.revokeAll(id, meta),
    }),
  ],
  exports: rules.exports,
})
export class PushesModule {}
