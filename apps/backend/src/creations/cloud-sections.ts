/** Databases and servers that the sections Database and Server get from the workspace's cloud provider. */
import { Inject, Injectable } from '@nestjs/common';
import { v5 as uuidv5 } from 'uuid';
import { CloudAssociations, CloudGround, CloudRuns, markedBy } from '../cloud';
import { type Claims, nameKey } from '../platform/decisions';
import { invalidField } from '../platform/errors';
import { SshFailure } from '../platform/ssh';
import { CLAIMS, DB, EVENT_STORE, PROJECTIONS } from '../platform/tokens';
import type { EventStore, Pool, ProjectionRunner } from '../platform/tokens';
import { RunEngine, StepFailed } from '../runs';
import { ServerConnections, ServerRegistry, ServerSetup } from '../servers';
import type { Made } from './creations.decider';
import { joined, madeAt, productOf, type SectionInput, type Work, type Worked } from './section-work';

const SEEN_MS = 10_000;

export const dropletRun = (run: string): string => uuidv5('createDroplet', run);
export const clusterRun = (run: string): string => uuidv5('createCloudDatabase', run);

export const isFromCloud = ({ values: { database: given } }: SectionInput): boolean =>
  given?.create !== undefined || given?.cloudDatabase !== undefined;
export const isDroplet = ({ values: { server } }: SectionInput): boolean =>
  server?.create !== undefined || server?.droplet !== undefined;
export const isSetUp = (input: SectionInput): boolean =>
  isDroplet(input) && input.values.server?.initialize !== false;

@Injectable()
export class CloudSections {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLAIMS) private readonly claims: Claims,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly engine: RunEngine,
    private readonly runs: CloudRuns,
    private readonly ground: CloudGround,
    private readonly associations: CloudAssociations,
    private readonly servers: ServerRegistry,
    private readonly connections: ServerConnections,
    private readonly setup: ServerSetup,
  ) {}

  /** Creates a database at the provider. */
  async createDatabase(work: Work): Promise<Worked> {
    const { context, input, io } = work;
    const wanted = input.values.database?.create;
    if (!wanted) return {};
    const runId = clusterRun(context.run);
    const made = () => this.markedBy(runId, work);
    await joined(this.engine, work, {
      run: runId,
      step: 'cloudDatabase',
      made,
      start: () => this.runs.createDatabase({ ...wanted, runId }, io.meta),
    });
    io.print(`Created the database ${wanted.name} at DigitalOcean.\n`);
    return { made: await made() };
  }

  /** Registers a database of the account with the product, and tests the connection. */
  async associateDatabase(work: Work): Promise<Worked> {
    const { context, input, io, once } = work;
    const { workspace } = io.meta;
    const own = madeAt(work, 'cloudDatabase')[0]?.id;
    const id = own ?? input.values.database?.cloudDatabase?.id ?? '';
    const meta = once('database');
    const { found, associated } = await this.ground.database(id, workspace);
    const isOwn = wasTried('database', work) && associated?.product.id === productOf(input);
    if (associated && !isOwn)
      throw invalidField(
        'values.cloudDatabase',
        `${found.name} is a database of the product ${associated.product.name} already`,
      );
    const runId = uuidv5('testDatabase', context.run);
    const added = await this.associations.database({ id, product: { id: productOf(input) }, runId }, meta);
    await this.projections.waitFor(added.position, SEEN_MS);
    io.print(`Added the database ${found.name}.\n`);
    // Servers may reach it even if this console cannot, so the section does not depend on the test.
    const { end } = await this.engine.ended(runId, workspace);
    io.print(end.is === 'succeeded' ? 'It can be reached.\n' : `The test of the connection: ${end.reason}\n`);
    return { made: [{ kind: 'database', id: added.id, name: found.name }] };
  }

  /** Creates a droplet, and signs in to it. */
  async createDroplet(work: Work): Promise<Worked> {
    const { context, input, io } = work;
    const wanted = input.values.server?.create;
    if (!wanted) return {};
    const runId = dropletRun(context.run);
    if (!(await this.engine.knows(runId, io.meta.workspace))) {
      await this.claimName(wanted.name, work);
      await this.refuseAlias(wanted.name, io.meta.workspace);
    }
    const made = () => this.markedBy(runId, work);
    await joined(this.engine, work, {
      run: runId,
      step: 'droplet',
      made,
      start: () => this.runs.createDroplet({ ...wanted, runId }, io.meta),
    });
    io.print(`Created the droplet ${wanted.name}.\n`);
    return { made: await made() };
  }

  /** A droplet becomes a server under its name. @throws DomainError if another server has that name */
  async refuseAlias(name: string, workspace: string): Promise<void> {
    if (await this.servers.hasAlias(name, workspace))
      throw invalidField('values.create.name', `there is a server ${name} already`);
  }

  /**
   * Of two creations with one name, the second is refused before it asks for a droplet: only one could become a server.
   * The first has the name until its run has ended and what it made is a server, or gone.
   */
  private async claimName(name: string, work: Work): Promise<void> {
    const { run } = work.context;
    const { workspace } = work.io.meta;
    const [scope, key] = [`droplet-name:${workspace}`, nameKey(name)];
    for (;;) {
      const holder = await this.claims.obtain(scope, key, run);
      if (holder === run) return;
      const isHeld =
        (await this.engine.isOpen(holder, workspace)) ||
        (await this.markedBy(dropletRun(holder), work)).length > 0;
      if (isHeld && !(await this.servers.hasAlias(name, workspace)))
        throw invalidField(
          'values.create.name',
          `another creation makes the droplet ${name}: choose another name, or wait until it has ended`,
        );
      await this.claims.release(scope, key, holder);
    }
  }

  /** Registers the droplet as a server. */
  async associateDroplet(work: Work): Promise<Worked> {
    const { input, io, once } = work;
    const { workspace } = io.meta;
    const id = madeAt(work, 'droplet')[0]?.id ?? input.values.server?.droplet?.id ?? '';
    const meta = once('server');
    const { found, server, prepared } = await this.ground.droplet(id, workspace);
    if (server && !wasTried('server', work))
      throw invalidField(
        'values.droplet',
        `${found.name} is the server ${server.alias} already: choose that server`,
      );
    if (!prepared)
      throw invalidField(
        'values.droplet',
        `this console has no key for ${found.name}: associate it on the page of the cloud account first`,
      );
    const own = await this.associations.droplet({ id, product: { id: productOf(input) } }, meta);
    await this.projections.waitFor(own.position, SEEN_MS);
    const { alias, host } = await this.servers.server(own.id, workspace);
    io.print(`Registered the server ${alias} at ${host}.\n`);
    return { made: [{ kind: 'server', id: own.id, name: alias }] };
  }

  /** Signs in with the key, and compares the host key. */
  async signIn(work: Work): Promise<Worked> {
    const { meta, print } = work.io;
    const { id } = serverIn(work);
    const server = await this.servers.server(id, meta.workspace);
    try {
      await this.connections.contact({ id, server, meta });
    } catch (error) {
      if (error instanceof SshFailure) throw new StepFailed(error.code, error.message);
      throw error;
    }
    print(`Signed in to ${server.alias}.\n`);
    return {};
  }

  async setUp(what: 'initialize' | 'docker', work: Work): Promise<Worked> {
    const { context, io } = work;
    const runId = uuidv5(what, context.run);
    const start = () => this.setup.start(what, serverIn(work).id, runId, io.meta);
    await joined(this.engine, work, { run: runId, step: what, start });
    return {};
  }

  private async markedBy(run: string, { io }: Pick<Work, 'io'>): Promise<Made> {
    await this.projections.waitFor(await this.store.head(), SEEN_MS);
    return markedBy(this.db, io.meta.workspace, run);
  }
}

/** What an earlier attempt at this step associated is the section's own, unless that attempt was refused. */
const wasTried = (step: string, { context }: Work): boolean =>
  context.attempts.some((one) => one.step === step && one.outcome !== 'failed');

const serverIn = (work: Work): { id: string } => madeAt(work, 'server')[0] ?? { id: '' };
