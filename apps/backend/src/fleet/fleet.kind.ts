/** One command or one saved script on many servers: a run whose only step starts a run on each server. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DB, EVENT_STORE, PROJECTIONS } from '../platform/tokens';
import type { EventStore, Pool, ProjectionRunner } from '../platform/tokens';
import { RunEngine, RunNews, type RunKind } from '../runs';
import { fleetInput, timeoutOf } from './fleet-request';
import { FleetPerformance, type FleetDeps } from './fleet-work';

export const fleetKind = (deps: FleetDeps): RunKind => ({
  kind: 'fleet',
  // Each part may change its server. This run has only itself as its subject, so it blocks no other run.
  changes: false,
  steps: (request) => [
    {
      on: 'console',
      name: 'servers',
      timeoutMs: timeoutOf(fleetInput(request), deps.engine.longestWaitMs),
      // Started parts are joined, not started again.
      repeatable: true,
      startsRuns: true,
      perform: (context, io) => new FleetPerformance(deps, context, io).perform(),
    },
  ],
});

@Injectable()
export class FleetRuns implements OnModuleInit {
  constructor(
    private readonly engine: RunEngine,
    private readonly news: RunNews,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(DB) private readonly db: Pool,
  ) {}

  onModuleInit(): void {
    const { engine, news, store, projections, db } = this;
    engine.register(fleetKind({ engine, news, store, projections, db }));
  }
}
