/** Metrics for Prometheus. Each back end has its own registry, so that two in one process stay separate. */
import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { EventStore, Pool, ProjectionRunner } from '../tokens';

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Observed {
  store: EventStore;
  pool: Pool;
  projections: ProjectionRunner;
}

export class Metrics {
  readonly registry = new Registry();
  private readonly calls = new Histogram({
    name: 'quarterdeck_http_seconds',
    help: 'Duration of calls by route',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [this.registry],
  });

  private readonly appends = new Histogram({
    name: 'quarterdeck_append_seconds',
    help: 'Duration of appends to the event log, waiting for company included',
    buckets,
    registers: [this.registry],
  });

  private readonly held = new Histogram({
    name: 'quarterdeck_main_thread_held_seconds',
    help: 'Times for which the main thread served nobody, each longer than a second',
    buckets: [1, 2, 5, 10, 30, 60],
    registers: [this.registry],
  });

  observe(observed: Observed, sockets: () => number): void {
    this.timeAppends(observed.store);
    const gauge = (name: string, help: string, value: () => number | Promise<number>): void => {
      new Gauge({
        name: `quarterdeck_${name}`,
        help,
        registers: [this.registry],
        async collect() {
          this.set(await value());
        },
      });
    };
    collectDefaultMetrics({ register: this.registry });
    const { pool, projections } = observed;
    gauge('sockets', 'Connected sockets', sockets);
    gauge('database_connections', 'Connections of the pool', () => pool.totalCount);
    gauge('database_waiting', 'Calls that wait for a connection', () => pool.waitingCount);
    const lag = () => projections.lag().catch(() => undefined);
    gauge('projection_lag_events', 'Events that the read models have not processed yet', async () => {
      return (await lag())?.events ?? Number.NaN;
    });
    gauge(
      'projection_lag_seconds',
      'Age of the oldest of them',
      async () => ((await lag())?.ms ?? Number.NaN) / 1000,
    );
  }

  private timeAppends(store: EventStore): void {
    const append = store.append.bind(store);
    store.append = async (...args) => {
      const done = this.appends.startTimer();
      try {
        return await append(...args);
      } finally {
        done();
      }
    };
  }

  /** The main thread was held for this long. */
  readonly heldFor = (seconds: number): void => this.held.observe(seconds);

  /** A call that no framework saw. */
  took(call: { method: string; route: string; status: number }, seconds: number): void {
    this.calls.observe(call, seconds);
  }

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'unknown';
      this.took({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
      done();
    });
  }
}
