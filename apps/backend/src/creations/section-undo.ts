/** Removes what a section made, the newest first. Each removal checks that the thing is the creation's own. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { database, product, service, servicePackage, type PlainNoun } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { CloudGround, CloudRequests, CloudRuns } from '../cloud';
import { Deploys } from '../deploys';
import { DomainRegistry, locationOwner, RemoveLocation } from '../domains';
import { DomainError } from '../platform/errors';
import { detailOf, listOf, PlainRecords, recordsOf } from '../platform/kit';
import { DB, EVENT_STORE, PROJECTIONS } from '../platform/tokens';
import type { CommandMeta } from '../platform/sessions';
import type { EventStore, Pool, ProjectionRunner } from '../platform/tokens';
import { markOf, Repositories } from '../repositories';
import { RunEngine, StepFailed, type LocalIo, type RunContext } from '../runs';
import { ServerRegistry } from '../servers';
import { Versions } from '../versions';
import { Sites } from '../webserver';
import { clusterRun, dropletRun } from './cloud-sections';
import type { Made } from './creations.decider';
import { joined, onceIn, reportOf, type SectionInput, type Work } from './section-work';

type Thing = Made[number];
/** What the undo of a section is given. `run`: the run that made the things; repositories have its mark. */
export interface UndoInput {
  creation: string;
  section: SectionInput['section'];
  attempt: number;
  run: string;
  made: Made;
  /** The name of what is deleted at a provider was typed. */
  isConfirmed: boolean;
  /** The domain of the creation, if it has one by then. */
  domain?: string;
}

const SEEN_MS = 10_000;
const nothingKept = { config: false, certificate: false };

@Injectable()
export class SectionUndo {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly engine: RunEngine,
    private readonly commands: CommandBus,
    private readonly repositories: Repositories,
    private readonly versions: Versions,
    private readonly domains: DomainRegistry,
    private readonly deploys: Deploys,
    private readonly sites: Sites,
    private readonly servers: ServerRegistry,
    private readonly ground: CloudGround,
    private readonly cloud: CloudRuns,
    private readonly requests: CloudRequests,
    @Inject(recordsOf(product)) private readonly products: PlainRecords,
    @Inject(recordsOf(database)) private readonly databases: PlainRecords,
    @Inject(recordsOf(service)) private readonly services: PlainRecords,
    @Inject(recordsOf(servicePackage)) private readonly packages: PlainRecords,
  ) {}

  /** @throws StepFailed with what is left in its report */
  async perform(context: RunContext, io: LocalIo): Promise<{ report: Record<string, string> }> {
    const input = context.request.input as unknown as UndoInput;
    // Removed last, as they were made first.
    const all = [...(await this.unknown(input, io)), ...input.made];
    const left = [...all];
    for (const thing of all.toReversed()) {
      io.signal.throwIfAborted();
      try {
        // The last removal may not be in the read models yet.
        await this.projections.waitFor(await this.store.head(), SEEN_MS);
        io.print(`${await this.remove(thing, input, { context, io })}\n`);
      } catch (error) {
        if (isGone(error)) io.print(`The ${thing.kind} ${thing.name} does not exist any more.\n`);
        else throw failure(error, thing, left);
      }
      left.splice(left.indexOf(thing), 1);
    }
    return { report: {} };
  }

  /**
   * What the section made at the provider without knowing it: the answer was lost, or came too late. It is found by the
   * mark of the run that asked for it.
   * @throws StepFailed if the provider cannot be asked, or if nobody typed the name of what is found
   */
  private async unknown({ section, run, made, isConfirmed }: UndoInput, io: LocalIo): Promise<Made> {
    const isServer = section === 'server';
    const [kind, asked] = isServer ? ['droplet', dropletRun(run)] : ['clouddatabase', clusterRun(run)];
    if (!(await this.requests.wasMade(asked))) return [];
    if (await this.engine.isOpen(asked, io.meta.workspace))
      throw new StepFailed(
        'undo',
        'the run that asks DigitalOcean has not ended: wait, or cancel it',
        reportOf(made),
      );
    const looking = isServer ? this.ground.markedMachines(asked, io) : this.ground.markedClusters(asked, io);
    const found = await looking.catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
      const reason = `DigitalOcean could not be asked what this section made there: ${error.msg}`;
      throw new StepFailed('undo', reason, reportOf(made));
    });
    const known = new Set(made.map(({ id }) => id));
    const more = found.filter(({ id }) => !known.has(id)).map((one) => ({ kind, ...one }));
    if (more.length > 0 && !isConfirmed) {
      const names = more.map(({ name }) => name).join(', ');
      const reason = `DigitalOcean has ${names}, which this section made: undo it again, and type the name`;
      throw new StepFailed('undo', reason, reportOf([...more, ...made]));
    }
    if (found.length === 0) io.print('DigitalOcean has nothing with the mark of this section.\n');
    return more;
  }

  private async remove(thing: Thing, input: UndoInput, at: Pick<Work, 'context' | 'io'>): Promise<string> {
    const { kind, id, name } = thing;
    const meta = onceIn(at.context.run, at.io)(`remove ${kind} ${id}`);
    const removed = `Removed the ${kind} ${name}.`;
    switch (kind) {
      case 'product':
        await this.refuseUsed(id, name, meta.workspace);
        await this.products.remove(id, name, meta);
        return removed;
      case 'version':
        await this.versions.remove(id, meta);
        return removed;
      case 'database':
        await this.databases.remove(id, undefined, meta);
        return removed;
      case 'service':
      case 'client':
        await this.services.remove(id, name, meta);
        return removed;
      case 'package':
        await this.packages.remove(id, undefined, meta);
        return removed;
      case 'repository':
        return this.removeRepository(thing, input, at);
      case 'deploy':
        return this.stop(thing, at);
      case 'domain':
        return this.removeDomain(thing, at);
      case 'location':
        return this.removeLocation(thing, input, at, meta);
      case 'server':
        await this.servers.remove(id, name, meta);
        return `${removed} The machine itself was not changed by that.`;
      case 'droplet':
        return this.removeDroplet(thing, input, at);
      case 'clouddatabase':
        return this.removeCluster(thing, input, at);
      default:
        return `The ${kind} ${name} stays.`;
    }
  }

  /** Things that this creation did not make would go along with the product. */
  private async refuseUsed(id: string, name: string, workspace: string): Promise<void> {
    const used = [service, database].map(async (noun: PlainNoun) => {
      const [one] = await listOf(noun, this.db, workspace, id);
      if (one)
        throw new DomainError(
          'conflict',
          `${name} has the ${noun.category} ${String(one['name'])}, which this creation did not make`,
        );
    });
    await Promise.all(used);
  }

  private async removeRepository({ name }: Thing, { run }: UndoInput, { io }: Pick<Work, 'io'>) {
    const [organization = '', repo = ''] = name.split('/');
    const place = { organization, repo };
    const manner = { signal: io.signal, print: io.print };
    const found = await this.repositories.find(place, io.meta, manner);
    if (!found) return `${name} does not exist any more.`;
    if (!found.description?.includes(markOf(run)))
      return `${name} was not created by this section: it stays.`;
    await this.repositories.recorded(await this.repositories.remove(place, io.meta, manner), io.meta);
    return `Deleted ${name}.`;
  }

  private async stop({ id, name }: Thing, at: Pick<Work, 'context' | 'io'>): Promise<string> {
    const release = await this.deploys.release(id, at.io.meta.workspace);
    if (!release.serves) return `The deploy of ${name} does not serve.`;
    const run = uuidv5(`stop ${id}`, at.context.run);
    await this.wait(run, () => this.deploys.stop(id, run, at.io.meta), at);
    return `Stopped the deploy of ${name}.`;
  }

  private async removeDomain({ id, name }: Thing, at: Pick<Work, 'context' | 'io'>): Promise<string> {
    const run = uuidv5(`remove ${id}`, at.context.run);
    const how = { serverName: name, keep: nothingKept, runId: run };
    if (!(await this.engine.knows(run, at.io.meta.workspace))) {
      const { runId } = await this.domains.remove(id, how, at.io.meta);
      if (runId === undefined) return `Removed the domain ${name}.`;
    }
    await this.wait(run, () => this.domains.remove(id, how, at.io.meta), at);
    return `Removed the domain ${name} from its server.`;
  }

  /** The site serves a location until it is applied without it. A domain that is removed next takes its site along. */
  private async removeLocation(
    { id, name }: Thing,
    { domain: known, made }: UndoInput,
    at: Pick<Work, 'context' | 'io'>,
    meta: CommandMeta,
  ): Promise<string> {
    const { workspace } = meta;
    const domain = known ?? (await locationOwner(this.db, workspace, id));
    if (domain === undefined) return `The location ${name} does not exist any more.`;
    await this.commands
      .execute(new RemoveLocation(domain, { location: id }, meta))
      .catch((error: unknown) => {
        // An earlier attempt removed it, and died before it applied the site.
        if (!isGone(error)) throw error;
      });
    const { serverName, config } = await this.sites.domain(domain, workspace);
    if (!config || made.some((one) => one.kind === 'domain' && one.id === domain))
      return `Removed the location ${name}.`;
    const runId = uuidv5(`apply without ${id}`, at.context.run);
    await this.wait(runId, () => this.sites.apply(domain, { runId }, at.io.meta), at);
    return `Removed the location ${name}, and applied the site of ${serverName} without it.`;
  }

  /** A droplet that something else made is never deleted. */
  private async removeDroplet(
    { id, name }: Thing,
    { run: section }: UndoInput,
    at: Pick<Work, 'context' | 'io'>,
  ) {
    const { found, server } = await this.ground.droplet(id, at.io.meta.workspace);
    if (found.run !== dropletRun(section)) return `${name} was not created by this section: it stays.`;
    if (server) throw usedElsewhere(found.name, `the server ${server.alias}`);
    const runId = uuidv5(`delete ${id}`, at.context.run);
    await this.wait(runId, () => this.cloud.deleteDroplet({ id, name: found.name, runId }, at.io.meta), at);
    return `Deleted the droplet ${found.name} at DigitalOcean.`;
  }

  private async removeCluster(
    { id, name }: Thing,
    { run: section }: UndoInput,
    at: Pick<Work, 'context' | 'io'>,
  ) {
    const { found, associated } = await this.ground.database(id, at.io.meta.workspace);
    if (found.run !== clusterRun(section)) return `${name} was not created by this section: it stays.`;
    if (associated && (await detailOf(database, this.db, at.io.meta.workspace, associated.database)))
      throw usedElsewhere(found.name, `a database of the product ${associated.product.name}`);
    const runId = uuidv5(`delete ${id}`, at.context.run);
    const asked = { uuid: id, name: found.name, runId };
    await this.wait(runId, () => this.cloud.deleteDatabase(asked, at.io.meta), at);
    return `Deleted the database ${found.name} and its content at DigitalOcean.`;
  }

  private wait(run: string, start: () => Promise<unknown>, at: Pick<Work, 'context' | 'io'>) {
    return joined(this.engine, at, { run, start, step: 'remove' });
  }
}

const usedElsewhere = (name: string, as: string): DomainError =>
  new DomainError('conflict', `${name} is ${as}, which this creation did not make`);

const isGone = (error: unknown): boolean => error instanceof DomainError && error.code === 'notFound';

const failure = (error: unknown, { kind, name }: Thing, left: Made): unknown => {
  const reason = error instanceof StepFailed ? error.message : error instanceof DomainError ? error.msg : '';
  if (reason === '' || (error instanceof DomainError && error.code === 'unavailable')) return error;
  return new StepFailed('undo', `the ${kind} ${name} could not be removed: ${reason}`, reportOf(left));
};
