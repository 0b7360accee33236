/** Starts the whole back end in this process, and stops it: resources, application, listening port. */
import { maxHeaderSize, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryService, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import 'reflect-metadata';
import {
  CallerWatch,
  checkBindings,
  controllersOf,
  MAX_BODY_BYTES,
  Metrics,
  PREFIX,
  prepareHttp,
  routable,
  serveConsole,
  watchMainThread,
} from '../http';
import { isTrustedProxy } from '../caller-address';
import { rememberAddress } from '../database';
import { refuseMalformed } from '../malformed-requests';
import { NestLogger } from '../logging';
import { Readiness } from './readiness';
import { remake, untilCaughtUp } from './remaking';
import type { Program } from './program';
import { openResources, type Resources } from './resources';
import { Gateway, SocketAdapter } from '../live';
import { closeGracefully, drain, watchArrivals, type Served } from './draining';
import { tellDoors } from './start/doors';
import { claimPlace, placeProblem } from './port.program';

export interface Backend {
  /** The address that operators use. */
  url: string;
  app: NestFastifyApplication;
  resources: Resources;
  /**
   * Sends everybody elsewhere, for `DRAIN_SECONDS`, or less if nobody is connected. Comes before `close`.
   * @param signal ends it early
   */
  drain(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const SWEEP_MS = 50;
/** How long a shutdown waits for calls in progress. Runs were asked to stop before that. */
const CALLS_MS = 5_000;

const createApp = async (resources: Resources, module: DynamicModule): Promise<NestFastifyApplication> => {
  const { config, logger } = resources;
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    // We use no Nest middleware, and it would slow every call down.
    skipMiddie: true,
    trustProxy: isTrustedProxy(config),
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    rewriteUrl: routable,
    clientErrorHandler: refuseMalformed({
      says: 'msg',
      headers: { 'cache-control': 'no-store' },
      maxHeaderBytes: maxHeaderSize,
    }),
    // Called for a parameter that is too long, before any hook runs.
    frameworkErrors: (error: FastifyError, _request: unknown, reply: FastifyReply) => {
      void reply.code(error.statusCode ?? 400).send({ msg: 'this address is not valid' });
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  app.setGlobalPrefix(PREFIX);
  const fastify = adapter.getInstance<FastifyInstance>();
  const sockets = new SocketAdapter(app);
  app.useWebSocketAdapter(sockets);
  const metrics = app.get(Metrics);
  metrics.observe(resources, () => sockets.clients);
  metrics.watch(fastify);
  app.get(CallerWatch).watch(fastify);
  const readiness = app.get(Readiness);
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.draining) void reply.header('connection', 'close');
    done(null, payload);
  });
  await prepareHttp(fastify, resources);
  watchMainThread(fastify, { logger, onHeld: metrics.heldFor });
  await serveConsole(fastify, resolve('dist/console'));
  // Checked before anything listens: every call needs exactly one method, and every method a call.
  checkBindings(controllersOf(app.get(DiscoveryService)));
  return app;
};

const close = async (app: NestFastifyApplication, resources: Resources): Promise<void> => {
  app.get(Readiness).draining = true;
  const server: Server = app.getHttpServer();
  // A connection whose last answer was sent after closing began would be kept alive for more than a minute.
  const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const impatient = setTimeout(() => server.closeAllConnections(), CALLS_MS);
  try {
    await app.close();
  } finally {
    clearInterval(sweeping);
    clearTimeout(impatient);
    await resources.close();
  }
};

/** @param signal aborts a start that is still waiting for a service */
export const startBackend = async (
  program: Program,
  moduleWith: (resources: Resources) => DynamicModule,
  signal?: AbortSignal,
): Promise<Backend> => {
  const { config } = program;
  await claimPlace(config);
  const resources = await openResources(program, signal);
  try {
    const app = await createApp(resources, moduleWith(resources));
    const server: Server = app.getHttpServer();
    closeGracefully(server);
    const lastCame = watchArrivals(server);
    const caughtUp = (): Promise<void> =>
      untilCaughtUp(resources.projections, resources.store, resources.logger, signal);
    await remake(resources.claims.owners, { ...resources, caughtUp });
    await app.listen(config.PORT, config.HOST).catch((error: unknown) => {
      throw placeProblem(config, error);
    });
    const { port } = app.getHttpServer().address() as AddressInfo;
    const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
    const url = config.PUBLIC_URL ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
    await rememberAddress(resources.pool, url);
    tellDoors(config, resources.logger);
    const served: Served = {
      server,
      lastCame,
      readiness: app.get(Readiness),
      dismiss: () => app.get(Gateway, { strict: false }).dismiss(),
    };
    return {
      url,
      app,
      resources,
      drain: (early) => drain(served, config.DRAIN_SECONDS * 1000, early),
      close: () => close(app, resources),
    };
  } catch (error) {
    await resources.close();
    throw error;
  }
};
