/** Registers, edits and removes servers: the decision and its side effects, such as stored keys and claimed aliases. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Position } from '@quarterdeck/events';
import { Decisions, followUp } from '../platform/decisions';
import type { Decision } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';
import { type Hold, refuseHeld } from '../platform/holds';
import { Hooks, moment } from '../platform/hooks';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { ExclusiveRuns } from '../runs';
import { ServerAliases } from './server-aliases';
import { ServerConnections } from './server-connections';
import { ServerKeys, type PrivateKey } from './server-keys';
import {
  EditServer,
  RegisterServer,
  RemoveServer,
  ReplaceServerKey,
  RestoreServer,
  serversDecider,
} from './servers.decider';
import type { KeyReference, RegisteredServer, ServerFields } from './servers.decider';
import { unseenHolders } from './servers.queries';

/** Can prevent removals. */
export const beforeServerRemoval = moment<Hold<string>>('before removal of a server');

/**
 * Removes what depends on a removed server. Can be repeated, and must also find what a crash left behind.
 * @returns the position of the last event; undefined if there was nothing to remove
 */
type OnRemoval = (server: Decision, meta: CommandMeta) => Promise<Position | undefined>;
export const afterServerRemoval = moment<OnRemoval>('after removal of a server');

/** @throws DomainError on `nginxPath` if the folder contains sites of the console, which nginx would keep serving */
type BeforeMove = (server: { id: string; nginxPath: string }, workspace: string) => Promise<void>;
/** Before the folder of sites changes. */
export const beforeServerMove = moment<BeforeMove>('before a change of the folder of sites of a server');

@Injectable()
export class ServerRegistry {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly aliases: ServerAliases,
    private readonly keys: ServerKeys,
    private readonly connections: ServerConnections,
    private readonly exclusive: ExclusiveRuns,
    private readonly hooks: Hooks,
  ) {}

  /** Read from the log, so it is always current. @throws DomainError `notFound` */
  async server(id: string, workspace: string): Promise<RegisteredServer> {
    const { state } = await this.decisions.load(serversDecider, id, workspace);
    if (state.is !== 'registered') throw notFound('server');
    return state;
  }

  /** Reads only the log: a server that the log does not contain was not removed. */
  async wasRemoved(id: string, workspace: string): Promise<boolean> {
    return (await this.decisions.load(serversDecider, id, workspace)).state.is === 'removed';
  }

  /** Reads the log: a read model that is being rebuilt may lack a server for a moment. */
  async exists(id: string, workspace: string): Promise<boolean> {
    return (await this.decisions.load(serversDecider, id, workspace)).state.is === 'registered';
  }

  /** Position of the server's newest event. */
  async head(id: string, workspace: string): Promise<{ position: Position }> {
    return this.decisions.load(serversDecider, id, workspace);
  }

  async hasAlias(alias: string, workspace: string): Promise<boolean> {
    return (await this.aliases.otherHolder(workspace, alias, '')) !== undefined;
  }

  async register(fields: ServerFields, privateKey: PrivateKey, meta: CommandMeta): Promise<Decision> {
    const id = idFor('server', meta);
    return this.withKey({ id, alias: fields.alias }, privateKey, meta, (key) =>
      this.commands.execute(new RegisterServer(id, { ...fields, key }, meta)),
    );
  }

  /**
   * Restores the server in the state before its removal. @throws DomainError on the key, or on `alias` if another
   * server has that alias now
   */
  async restore(
    server: { id: string; alias: string },
    privateKey: PrivateKey,
    meta: CommandMeta,
  ): Promise<Decision> {
    const decision = await this.withKey(server, privateKey, meta, (key) =>
      this.commands.execute(new RestoreServer(server.id, { key }, meta)),
    );
    await this.shredGone(server.id, meta.workspace);
    return decision;
  }

  /** Stores a key and claims an alias for a server that is created or restored. */
  private async withKey(
    { id, alias }: { id: string; alias: string },
    privateKey: PrivateKey,
    meta: CommandMeta,
    work: (key: KeyReference) => Promise<Decision>,
  ): Promise<Decision> {
    const { workspace } = meta;
    const key = await this.keys.store(privateKey, meta);
    return this.orUndo(
      () => this.shredUnlessUsed(workspace, id, key.ref),
      () => this.aliases.withClaimedName(workspace, alias, id, () => work(key)),
    );
  }

  async edit(id: string, fields: ServerFields, meta: CommandMeta, revision?: number): Promise<Decision> {
    const { workspace } = meta;
    const { alias, nginxPath } = await this.server(id, workspace);
    if (fields.nginxPath === nginxPath) return this.rewrite(id, fields, meta, revision);
    // No run can put a site there during this check.
    return this.exclusive.withLock({ kind: 'server', id, name: alias }, workspace, async () => {
      for (const refuse of this.hooks.of(beforeServerMove)) await refuse({ id, nginxPath }, workspace);
      return this.rewrite(id, fields, meta, revision);
    });
  }

  private rewrite(id: string, fields: ServerFields, meta: CommandMeta, revision?: number): Promise<Decision> {
    return this.aliases.renamed({ id, workspace: meta.workspace, name: fields.alias }, (claim) =>
      this.commands.execute(new EditServer(id, { ...fields, ...claim }, meta, revision)),
    );
  }

  async replaceKey(id: string, privateKey: PrivateKey, meta: CommandMeta): Promise<Decision> {
    const { workspace } = meta;
    await this.server(id, workspace);
    const key = await this.keys.store(privateKey, meta);
    const undo = () => this.shredUnlessUsed(workspace, id, key.ref);
    const decision = await this.orUndo(undo, () =>
      this.commands.execute(new ReplaceServerKey(id, { key }, meta)),
    );
    await this.shredGone(id, workspace);
    return decision;
  }

  async remove(id: string, alias: string | undefined, meta: CommandMeta): Promise<Decision> {
    const { workspace } = meta;
    const server = await this.server(id, workspace);
    await refuseHeld(this.hooks.of(beforeServerRemoval), id, workspace);
    const decision = await this.commands.execute(new RemoveServer(id, { alias }, meta));
    this.connections.forget(id);
    await this.shredGone(id, workspace);
    await this.aliases.releaseUnlessHeld(workspace, server.alias, id);
    let { position } = decision;
    for (const ends of this.hooks.of(afterServerRemoval))
      position = (await ends(decision, followUp(meta))) ?? position;
    return { ...decision, position };
  }

  /** Destroys the keys of servers whose removal was interrupted: nothing else would destroy them. */
  async sweep(): Promise<void> {
    for (const { id, workspace } of await unseenHolders(this.db)) await this.shredGone(id, workspace);
  }

  /** Reads the log, so that it also destroys keys left behind by a process that died or lost a race during a change. */
  private async shredGone(id: string, workspace: string): Promise<void> {
    const { state } = await this.decisions.load(serversDecider, id, workspace);
    if (state.is === 'unknown') return;
    const { gone } = state.is === 'removed' ? state.was : state;
    for (const ref of gone) await this.keys.shred(workspace, ref);
  }

  /** A repeated command may be refused although its first attempt succeeded, and then the key is in use. */
  private async shredUnlessUsed(workspace: string, id: string, ref: string): Promise<void> {
    const { state } = await this.decisions.load(serversDecider, id, workspace);
    if (state.is !== 'registered' || state.key.ref !== ref) await this.keys.shred(workspace, ref);
  }

  /** Only a refusal guarantees that nothing was written. After any other failure nothing is undone. */
  private async orUndo<T>(undo: () => Promise<void>, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError) await undo();
      throw error;
    }
  }
}
