/** The services that features can inject, by token, and the guards and interceptors around every route. */
import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import {
  AccessGuard,
  AnswerInterceptor,
  CallerWatch,
  CostlyCalls,
  DocsController,
  HttpErrors,
  IdempotencyInterceptor,
  Metrics,
  AsOfInterceptor,
  RefusalLog,
} from '../http';
import { DecisionsModule } from '../decisions';
import { Hooks } from '../hooks';
import { AccessTokens } from '../access-tokens';
import { FailedAttempts } from '../sessions';
import { HealthController } from './health.controller';
import { Instants, presentOrAsOf } from '../as-of';
import { Outbound, resolveThrough } from '../outbound';
import { Readiness } from './readiness';
import type { Resources } from './resources';
import {
  CLAIMS,
  CONFIG,
  CONNECTION,
  DB,
  EVENT_STORE,
  LOGGER,
  PROJECTIONS,
  RESOURCES,
  ROOMS,
  SESSIONS,
  VAULT,
} from '../tokens';

const provided = (resources: Resources): Provider[] => [
  { provide: CONFIG, useValue: resources.config },
  { provide: LOGGER, useValue: resources.logger },
  { provide: DB, useValue: presentOrAsOf(resources.pool, resources.past) },
  { provide: CONNECTION, useValue: resources.connection },
  { provide: Instants, useValue: new Instants(resources.pool, () => resources.projections.position()) },
  { provide: EVENT_STORE, useValue: resources.store },
  { provide: PROJECTIONS, useValue: resources.projections },
  { provide: VAULT, useValue: resources.vault },
  { provide: SESSIONS, useValue: resources.sessions },
  { provide: CLAIMS, useValue: resources.claims },
  { provide: ROOMS, useValue: resources.rooms },
  { provide: RESOURCES, useValue: resources },
  {
    provide: Outbound,
    useValue: new Outbound(resources.config.OUTBOUND_ALLOW, resolveThrough(resources.config.DNS_SERVERS)),
  },
];

@Global()
@Module({})
export class PlatformModule {
  static with(resources: Resources): DynamicModule {
    const providers = provided(resources);
    return {
      module: PlatformModule,
      imports: [DiscoveryModule, DecisionsModule],
      controllers: [HealthController, DocsController],
      providers: [
        ...providers,
        AccessTokens,
        CallerWatch,
        FailedAttempts,
        Hooks,
        Metrics,
        RefusalLog,
        Readiness,
        { provide: APP_GUARD, useClass: AccessGuard },
        HttpErrors,
        { provide: APP_FILTER, useExisting: HttpErrors },
        { provide: APP_INTERCEPTOR, useClass: CostlyCalls },
        // The first one is outermost, so that receipts contain the answer exactly as it was sent.
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
        { provide: APP_INTERCEPTOR, useClass: AsOfInterceptor },
      ],
      exports: [
        ...providers,
        AccessTokens,
        CallerWatch,
        FailedAttempts,
        Hooks,
        HttpErrors,
        Metrics,
        Readiness,
      ],
    };
  }
}
