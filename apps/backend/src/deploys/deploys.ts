/** Deploys services: each deploy is recorded as a snapshot, and then carried out as a run with the same id. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { service, servicePackage, type EventData, type ValuesOf } from '@quarterdeck/events';
import type { deployStart } from '@quarterdeck/events/inputs';
import type { DeployRow } from '@quarterdeck/projections';
import type { z } from 'zod';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import { type CommandMeta, idFor } from '../platform/sessions';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';
import { RunEngine, type RunRequest } from '../runs';
import { ServerRegistry } from '../servers';
import { VariableReader } from '../variables';
import type { ServedBeside } from '../webserver';
import { composeText, runningServices } from './compose';
import { deployInput, deployService, stopService } from './deploy.kind';
import { deployable } from './deployable';
import { refusedVariable } from './environment';
import { byDigest } from './images';
import { MovedLocations } from './moved-locations';
import { refusePort } from './ports';
import { Registries } from './registries';
import { DeployVariables, type SavedVariable } from './deploy-variables';
import { RecordStopped, deploysDecider, RemoveRelease, RequestRelease } from './deploys.decider';
import { proxyFile } from './proxy';
import { RollbackValues, type Instead } from './rollback-values';
import {
  hasFollower,
  lastDeploys,
  listDeploys,
  deployDetail,
  replacedBy,
  servingDeploys,
  type DeployReads,
} from './deploys.queries';

type DeployRequest = EventData<'ReleaseRequested'>;
type Service = ValuesOf<typeof service> & { product: string };
type Package = ValuesOf<typeof servicePackage> & { service: string };

/** Environment of the first deploy of a service, unless the operator chooses another. */
const PROD = 3;

@Injectable()
export class Deploys implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly engine: RunEngine,
    private readonly servers: ServerRegistry,
    private readonly registries: Registries,
    private readonly variables: VariableReader,
    private readonly kept: DeployVariables,
    private readonly rollbacks: RollbackValues,
    private readonly moved: MovedLocations,
    @Inject(recordsOf(service)) private readonly services: PlainRecords,
    @Inject(recordsOf(servicePackage)) private readonly packages: PlainRecords,
  ) {}

  get reads(): DeployReads {
    return { db: this.db, changes: this.engine.changes.bind(this.engine) };
  }

  onModuleInit(): void {
    this.engine.register(stopService(this.stillServes.bind(this)));
    this.engine.register(
      deployService({
        asked: this.asked.bind(this),
        values: (asked, workspace) => this.kept.values(asked, workspace),
        registries: this.registries,
        watchSeconds: this.config.DEPLOY_WATCH_SECONDS,
        move: this.moved.move.bind(this.moved),
        replaced: (release, workspace) => replacedBy(this.db, workspace, release),
        stillFits: this.stillFits.bind(this),
      }),
    );
  }

  /** @param pushed the version that a source host has announced, and the rule that deploys it */
  async deploy(input: z.infer<typeof deployStart>, meta: CommandMeta, pushed?: DeployRequest['pushed']) {
    const { id, packageId, runId = idFor('run', meta), why } = input;
    const { workspace } = meta;
    const found = await this.service(id, workspace);
    const what = (await this.packages.opened(packageId, workspace)) as unknown as Package;
    if (what.service !== id) throw notFound('package');
    // The default environment comes from the last deploy that served, if any: a failed trial is no good example.
    const before = await listDeploys(this.reads, workspace, { service: id });
    const last = before.find(({ served }) => served !== undefined) ?? before[0];
    const { env = last?.env.id ?? PROD, keep = found.keep } = input;
    const { healthPath: path = found.healthPath, healthSeconds: seconds = found.healthSeconds } = input;
    const { image, client } = deployable(what, found);
    const asked = {
      package: { id: packageId, version: what.version, image },
      ...(client && { client }),
      health: { path, seconds },
      env,
      keep,
      port: found.port,
      ...(pushed && { pushed }),
      ...(why !== undefined && why !== '' && { why }),
    };
    // The files of a client got their values at build time.
    const saved = client ? [] : await this.variables.read(id, env, workspace);
    return this.start(runId, id, found, asked, saved, meta);
  }

  /**
   * Starts a new deploy with the image digest and the values of an earlier release. The port is the current one,
   * because sites pass requests to it.
   *
   * @param how what variables whose values were destroyed get
   */
  async rollBack(
    id: string,
    { why, ...instead }: Instead & { why?: string | undefined },
    runId: string,
    meta: CommandMeta,
  ) {
    const { workspace } = meta;
    const to = await this.release(id, workspace);
    if (!to.served)
      throw new DomainError('conflict', 'this deploy never served: there is nothing to go back to');
    const found = await this.service(to.service.id, workspace);
    const { saved, lost } = await this.rollbacks.of(to, instead, workspace);
    const asked = {
      package: { ...to.package, image: byDigest(to.package.image, to.served.digest) },
      ...(to.client && { client: to.client }),
      health: to.health,
      env: to.env.id,
      keep: to.keep,
      port: found.port,
      rollbackTo: id,
      ...(lost.length > 0 && { lost }),
      ...(why !== undefined && why !== '' && { why }),
    };
    return this.start(runId, to.service.id, found, asked, saved, meta);
  }

  /** @returns undefined if there is no such deploy */
  async removeFromLog(id: string, meta: CommandMeta): Promise<Decision | undefined> {
    return (await deployDetail(this.reads, meta.workspace, id)) ? this.remove(id, meta) : undefined;
  }

  async remove(id: string, meta: CommandMeta): Promise<Decision> {
    const release = await this.release(id, meta.workspace);
    if (await this.engine.isOpen(id, meta.workspace))
      throw new DomainError('conflict', 'this deploy is under way: wait for it to end, or cancel it');
    const decision = await this.commands.execute(new RemoveRelease(id, { last: release.last }, meta));
    await this.kept.release(release, meta.workspace);
    return decision;
  }

  /** Stops the release that serves, on its server. */
  async stop(id: string, runId: string, meta: CommandMeta) {
    const release = await this.stillServes(id, meta.workspace);
    const subject = { kind: 'service', ...release.service };
    const input = { version: release.package.version, release: id, ...(release.client && { client: true }) };
    return this.engine.start(runId, 'stopService', { subject, server: release.server, input }, meta);
  }

  /** Records that the release no longer serves, because its server is gone. */
  async forget(id: string, meta: CommandMeta) {
    await this.stillServes(id, meta.workspace);
    return this.commands.execute(new RecordStopped(id, {}, meta));
  }

  /** @throws DomainError `notFound` */
  async release(id: string, workspace: string): Promise<DeployRow> {
    const release = await deployDetail(this.reads, workspace, id);
    if (!release) throw notFound('release');
    return release;
  }

  private async start(
    runId: string,
    id: string,
    found: Service,
    asked: Omit<DeployRequest, 'service' | 'server' | 'product' | 'variables' | 'compose'>,
    saved: readonly SavedVariable[],
    meta: CommandMeta,
  ) {
    const { workspace } = meta;
    if (found.server === null) throw invalidField('server', 'this service has no server: choose one first');
    const named = { id, name: found.name };
    const on = await this.servers.server(found.server.id, workspace);
    const server = { id: found.server.id, name: on.alias };
    const refused = saved.map(refusedVariable).find((reason) => reason !== undefined);
    if (refused !== undefined) throw new DomainError('unprocessable', refused);
    const serving = await servingDeploys(this.reads, workspace, { server: server.id });
    await refusePort({ ...found, id }, on, serving, this.db, workspace);
    await this.refuseMixing(asked, id, server.id, workspace);
    const { alsoAt, moves } = await this.moves(id, workspace);
    const compose = asked.client
      ? ''
      : composeText({ service: named, image: asked.package.image, port: asked.port });
    const data = {
      ...asked,
      service: named,
      server,
      product: found.product,
      compose,
      ...(alsoAt && { alsoAt }),
      ...(moves && { moves }),
      ...(found.whileDeploying === 'replace' && { replaces: true as const }),
    };
    if (!(await this.isRequested(runId, id, workspace))) await this.request(runId, data, saved, meta);
    const subject = { kind: 'service', ...named };
    const input = deployInput(data);
    const { position } = await this.engine.start(runId, 'deployService', { subject, server, input }, meta);
    return { runId, position };
  }

  /**
   * Whether this is a repeated request. Its values must not be written again: their references are derived from its id.
   * @throws DomainError `conflict` if the id was used for something else, or the deploy has ended
   */
  private async isRequested(runId: string, service: string, workspace: string): Promise<boolean> {
    const { state } = await this.decisions.load(deploysDecider, runId, workspace);
    if (state.is === 'unknown') return false;
    if (state.is === 'requested' && state.asked.service.id === service) return true;
    throw new DomainError('conflict', 'this deploy was already requested');
  }

  private async request(
    runId: string,
    data: Omit<DeployRequest, 'variables'>,
    saved: readonly SavedVariable[],
    meta: CommandMeta,
  ): Promise<void> {
    const { workspace } = meta;
    const place = { release: runId, service: data.service.id, workspace };
    const { kept: variables, made } = await this.kept.keep(saved, place);
    try {
      await this.commands.execute(new RequestRelease(runId, { ...data, variables }, meta));
    } catch (error) {
      const isLost =
        error instanceof DomainError && !(await this.isRequested(runId, place.service, workspace));
      if (isLost) await this.kept.shred(made, workspace);
      throw error;
    }
  }

  private async stillServes(id: string, workspace: string): Promise<DeployRow> {
    const release = await this.release(id, workspace);
    if (!release.serves)
      throw new DomainError('conflict', 'this deploy does not serve: there is nothing to stop');
    return release;
  }

  /** What the next deploy of a service takes along because of a changed port. */
  async moves(id: string, workspace: string) {
    const { port, server } = await this.service(id, workspace);
    if (server === null) return { waiting: [] };
    const last = await lastDeploys(this.reads, workspace, { server: server.id });
    return this.moved.of({ id, port }, server.id, last, workspace);
  }

  /** The services as they run: images by their digests, and the ports that were free on the server. */
  async served({ id, root }: { id: string; root: string }, workspace: string): Promise<ServedBeside> {
    const serving = await servingDeploys(this.reads, workspace, { server: id });
    return {
      services: runningServices(serving, root),
      files: serving.map((one) => ({ name: proxyFile(one.service.id), text: one.served?.proxy ?? '' })),
    };
  }

  private async asked(release: string, workspace: string): Promise<DeployRequest> {
    const { state } = await this.decisions.load(deploysDecider, release, workspace);
    if (state.is === 'unknown' || state.is === 'removed') throw notFound('release');
    return state.asked;
  }

  /**
   * A release that was made for an earlier server or port would start where nobody expects it, and an outdated release
   * would replace newer ones.
   */
  private async stillFits(run: string, { subject, server }: RunRequest, workspace: string): Promise<void> {
    const found = await this.service(subject.id, workspace);
    const asked = await this.asked(run, workspace);
    const refused = (reason: string) => new DomainError('unprocessable', `${reason}: start a new deploy`);
    if (found.server?.id !== server?.id) throw refused(`${found.name} was moved away from ${server?.name}`);
    if (found.port !== asked.port) throw refused(`${found.name} has another port since`);
    if (await hasFollower(this.db, workspace, run)) throw refused(`${found.name} was deployed again since`);
    await this.refuseMixing(asked, subject.id, asked.server.id, workspace);
  }

  /** Refuses to mix containers and client packages: a deploy of one kind cannot remove a running one of the other. */
  private async refuseMixing(
    { client }: Pick<DeployRequest, 'client'>,
    service: string,
    server: string,
    workspace: string,
  ): Promise<void> {
    const serving = await servingDeploys(this.reads, workspace, { service, server });
    const other = serving.find((one) => (one.client === undefined) !== (client === undefined));
    if (!other) return;
    const what = client ? 'a container' : 'a client package';
    throw new DomainError('conflict', `${other.service.name} serves as ${what}: stop it before this deploy`);
  }

  private async service(id: string, workspace: string): Promise<Service> {
    return (await this.services.opened(id, workspace)) as unknown as Service;
  }
}
