/** Machines as servers of the console, and databases as databases of products. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { database, product } from '@quarterdeck/events';
import type { Position } from '@quarterdeck/events';
import type { ServerView } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { followUp } from '../platform/decisions';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { detailOf, PlainRecords, recordsOf } from '../platform/kit';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { RunEngine } from '../runs';
import { listServers, PinHostKey, ServerRegistry } from '../servers';
import { AssociateCloudDatabase, RecordPasswordShown, ReleaseCloudDatabase } from './cloud-databases.decider';
import { CloudGround } from './cloud-ground';
import { associatedAs, danglingAssociations, dropletsOfServer, thingsOfProduct } from './cloud.queries';
import { AssociateDroplet, ClearProduct, type DropletState, ReleaseDroplet } from './droplets.decider';
import { MachineKeys } from './machine-keys';

type SeenDroplet = Exclude<DropletState, { is: 'unknown' }>;

const PATHS = {
  root: '/root',
  path: '/root/volumes/static',
  nginxPath: '/root/volumes/nginx_config',
} as const;
const PORT = 22;
/** Of the console's list of environments: dev. */
const ENVIRONMENT = { id: 1 };
/** By the engine's name at the provider, its number in the console's list. */
const TYPES: Readonly<Record<string, number>> = { mysql: 1, pg: 2 };

export interface AssociatedDroplet {
  id: string;
  privateKey?: string | undefined;
  passphrase?: string | undefined;
  username?: string | undefined;
  product?: { id: string } | undefined;
}

@Injectable()
export class CloudAssociations {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly ground: CloudGround,
    private readonly registry: ServerRegistry,
    private readonly keys: MachineKeys,
    private readonly commands: CommandBus,
    private readonly runs: RunEngine,
    @Inject(recordsOf(database)) private readonly databases: PlainRecords,
    @Inject(recordsOf(product)) private readonly products: PlainRecords,
  ) {}

  /** @returns the server. One that was associated before stays: only the product may change. */
  async droplet(given: AssociatedDroplet, meta: CommandMeta): Promise<{ id: string; position: Position }> {
    const { id } = given;
    const state = await this.ground.droplet(id, meta.workspace);
    const ofProduct = given.product ?? (state.product === undefined ? undefined : { id: state.product });
    if (ofProduct) await this.productOf(ofProduct.id, meta.workspace);
    const server = state.server ?? (await this.serverFor(given, state, meta));
    const data = { server, ...(ofProduct && { product: ofProduct.id }) };
    const { position } = await this.commands.execute(new AssociateDroplet(id, data, meta));
    return { id: server.id, position };
  }

  /** The server is gone, and the machine may be associated again. */
  async release(server: string, meta: CommandMeta): Promise<Position | undefined> {
    let last: Position | undefined;
    for (const id of await dropletsOfServer(this.db, meta.workspace, server))
      last = (await this.commands.execute(new ReleaseDroplet(id, { server }, meta))).position;
    return last;
  }

  /** The database is gone, and the one at the provider may be associated again. */
  async releaseDatabase(of: string, meta: CommandMeta): Promise<Position | undefined> {
    let last: Position | undefined;
    for (const id of await associatedAs(this.db, meta.workspace, of))
      last = (await this.commands.execute(new ReleaseCloudDatabase(id, { database: of }, meta))).position;
    return last;
  }

  /** The product is gone, and so are its databases. */
  async releaseProduct(product: string, meta: CommandMeta): Promise<Position | undefined> {
    let last: Position | undefined;
    const { droplets, databases } = await thingsOfProduct(this.db, meta.workspace, product);
    for (const id of droplets)
      last = (await this.commands.execute(new ClearProduct(id, { product }, meta))).position;
    for (const { id, database: of } of databases)
      last = (await this.commands.execute(new ReleaseCloudDatabase(id, { database: of }, meta))).position;
    return last;
  }

  /** Ends what points to something that was removed by a process that died before it could end it. */
  async settle(meta: CommandMeta): Promise<void> {
    const { workspace } = meta;
    const { servers, databases, products } = await danglingAssociations(this.db, workspace);
    for (const id of servers)
      if (await this.registry.wasRemoved(id, workspace)) await this.release(id, followUp(meta));
    for (const id of databases)
      if (await this.databases.wasRemoved(id, workspace)) await this.releaseDatabase(id, followUp(meta));
    for (const id of products)
      if (await this.products.wasRemoved(id, workspace)) await this.releaseProduct(id, followUp(meta));
  }

  /** Its password, which is recorded before it is shown. */
  async password(id: string, meta: CommandMeta) {
    const { found } = await this.ground.database(id, meta.workspace);
    const provider = await this.ground.provider(meta.workspace, { waitSeconds: 3 });
    const { user, password } = await provider.clusterAccess(found.cluster);
    const { position } = await this.commands.execute(new RecordPasswordShown(id, { user }, meta));
    return { user, password, position };
  }

  async database(
    { id, product: of, runId: chosen }: { id: string; product: { id: string }; runId?: string | undefined },
    meta: CommandMeta,
  ): Promise<{ id: string; runId: string; position: Position }> {
    const { workspace } = meta;
    const { found } = await this.ground.database(id, workspace);
    const { name: productName } = await this.productOf(of.id, workspace);
    const dbType = TYPES[found.engine];
    if (dbType === undefined)
      throw new DomainError(
        'unprocessable',
        `products have MySQL or PostgreSQL databases, and this is ${found.engine}`,
        undefined,
        { code: 'engine' },
      );
    const provider = await this.ground.provider(workspace, { waitSeconds: 3 });
    const access = await provider.clusterAccess(found.cluster);
    const name = access.dbNames[0] ?? access.database;
    const { host, port, user: username, password, certificate } = access;
    const reached = { host, port, username, password, certificate, clientCertificate: null };
    const data = { name, ...reached, env: ENVIRONMENT, dbType, server: null, encryption: 'automatic' };
    const once = await firstOf(
      (nth) => asOnce(`database ${nth} of ${of.id}`, id, meta),
      (one) => this.databases.wasRemoved(idFor(database.category, one), workspace),
    );
    const added = await this.databases.add(data, of.id, once);
    const associated = { product: { id: of.id, name: productName }, database: added.id };
    const recorded = await this.commands.execute(new AssociateCloudDatabase(id, associated, followUp(meta)));
    const runId = chosen ?? idFor('run', meta);
    const subject = { kind: 'database', id: added.id, name };
    const { position } = await this.runs.start(runId, 'testDatabase', { subject, input: {} }, followUp(meta));
    return { id: added.id, runId, position: later(recorded.position, position) };
  }

  /**
   * A server that has its address already, or a new one. A droplet that the console made always gets one of its own: a
   * server at its address is of an earlier machine, and has another key.
   */
  private async serverFor(
    given: AssociatedDroplet,
    state: SeenDroplet,
    meta: CommandMeta,
  ): Promise<{ id: string; alias: string }> {
    const { found, prepared } = state;
    const { workspace } = meta;
    const host = found.networks.v4.findLast(({ type }) => type === 'public')?.ip_address;
    if (found.status !== 'active' || host === undefined)
      throw new DomainError('conflict', 'Server still initializing', undefined, { code: 'initializing' });
    const known = prepared ? undefined : await this.serverAt(host, workspace);
    const server = known ?? (await this.register(given, state, { host, meta }));
    if (prepared)
      await this.commands.execute(
        new PinHostKey(server.id, { host, port: PORT, key: prepared.hostKey }, followUp(meta)),
      );
    return { id: server.id, alias: server.alias };
  }

  private async serverAt(host: string, workspace: string): Promise<ServerView | undefined> {
    const all = await listServers(this.db, workspace);
    const found = all.find((one) => one.host === host && one.port === PORT);
    const droplets = found && (await dropletsOfServer(this.db, workspace, found.id));
    return droplets?.length === 0 ? found : undefined;
  }

  private async register(
    { id, privateKey, passphrase, username }: AssociatedDroplet,
    { found, prepared }: SeenDroplet,
    { host, meta }: { host: string; meta: CommandMeta },
  ): Promise<{ id: string; alias: string }> {
    const { workspace } = meta;
    if (!prepared && privateKey === undefined)
      throw invalidField(
        'privateKey',
        'the console has no key for this droplet: enter the one that opens it',
      );
    const key =
      privateKey === undefined && prepared
        ? { privateKey: (await this.keys.load(prepared.key.ref, workspace)).privateKey }
        : { privateKey: privateKey ?? '', passphrase };
    const fields = { alias: found.name, host, port: PORT, username: username ?? 'root', ...PATHS };
    const once = await firstOf(
      (nth) => asOnce(`server ${nth}`, id, meta),
      (one) => this.registry.wasRemoved(idFor('server', one), workspace),
    );
    const server = await this.registry.register(fields, key, once);
    return { id: server.id, alias: found.name };
  }

  private async productOf(id: string, workspace: string): Promise<{ name: string }> {
    const found = await detailOf(product, this.db, workspace, id);
    if (!found) throw notFound('product');
    return { name: String(found['name']) };
  }
}

/**
 * The same command, whoever gives it and however often: what it makes is there once, also after a crash, and if two
 * operators associate the same thing at once.
 */
const asOnce = (what: string, of: string, meta: CommandMeta): CommandMeta => ({
  ...followUp(meta),
  commandId: uuidv5(what, of),
  keyed: true,
});

/** The first one whose thing was not removed since. */
const firstOf = async <T>(nth: (at: number) => T, wasRemoved: (one: T) => Promise<boolean>): Promise<T> => {
  for (let at = 0; ; at += 1) {
    const one = nth(at);
    if (!(await wasRemoved(one))) return one;
  }
};

const later = (one: Position, other: Position): Position => (BigInt(one) > BigInt(other) ? one : other);
