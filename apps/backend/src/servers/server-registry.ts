/** Registering, editing and removing servers: the decision, and what has to happen around it. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Position } from '@quarterdeck/events';
import { Decisions, followUp } from '../platform/decisions';
import type { Decision } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';
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

/**
 * Takes along what stands on a server that was removed, and can be repeated.
 * @returns where in the log the last of it stands; nothing when there was nothing
 */
export type OnRemoval = (server: Decision, meta: CommandMeta) => Promise<Position | undefined>;

/** @throws DomainError on `nginxPath` where sites of ours lie in the folder: its server would go on serving them */
export type BeforeMove = (server: { id: string; nginxPath: string }, workspace: string) => Promise<void>;

@Injectable()
export class ServerRegistry {
  private readonly removals: OnRemoval[] = [];
  private readonly moves: BeforeMove[] = [];

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(Decisions) private readonly decisions: Decisions,
    @Inject(ServerAliases) private readonly aliases: ServerAliases,
    @Inject(ServerKeys) private readonly keys: ServerKeys,
    @Inject(ServerConnections) private readonly connections: ServerConnections,
    @Inject(ExclusiveRuns) private readonly exclusive: ExclusiveRuns,
  ) {}

  /** As the log tells it, never behind. @throws DomainError `notFound` */
  async server(id: string, workspace: string): Promise<RegisteredServer> {
    const { state } = await this.decisions.load(serversDecider, id, workspace);
    if (state.is !== 'registered') throw notFound('server');
    return state;
  }

  /** By the log alone: what it has never heard of was not removed. */
  async wasRemoved(id: string, workspace: string): Promise<boolean> {
    return (await this.decisions.load(serversDecider, id, workspace)).state.is === 'removed';
  }

  /** By the log: a read model that is being rebuilt may not show a server for a moment. */
  async isThere(id: string, workspace: string): Promise<boolean> {
    return (await this.decisions.load(serversDecider, id, workspace)).state.is === 'registered';
  }

  /** Where the server's newest event stands in the log. */
  async whereabouts(id: string, workspace: string): Promise<{ position: Position }> {
    return this.decisions.load(serversDecider, id, workspace);
  }

  async register(fields: ServerFields, privateKey: PrivateKey, meta: CommandMeta): Promise<Decision> {
    const id = idFor('server', meta);
    return this.withKey({ id, alias: fields.alias }, privateKey, meta, (key) =>
      this.commands.execute(new RegisterServer(id, { ...fields, key }, meta)),
    );
  }

  /** As it was when it was removed. @throws DomainError on the key, or on `alias` when another server has it by now */
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

  /** A key in the vault and a name of its own, for a server that comes to be by this. */
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
      () => this.aliases.whileClaimed(workspace, alias, id, () => work(key)),
    );
  }

  async edit(id: string, fields: ServerFields, meta: CommandMeta, revision?: number): Promise<Decision> {
    const { workspace } = meta;
    const { alias, nginxPath } = await this.server(id, workspace);
    if (fields.nginxPath === nginxPath) return this.rewrite(id, fields, meta, revision);
    // No run puts a site there while it is asked what lies there.
    return this.exclusive.whileFree({ kind: 'server', id, name: alias }, workspace, async () => {
      for (const refuse of this.moves) await refuse({ id, nginxPath }, workspace);
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
    const decision = await this.commands.execute(new RemoveServer(id, { alias }, meta));
    this.connections.forget(id);
    await this.shredGone(id, workspace);
    await this.aliases.releaseUnlessHeld(workspace, server.alias, id);
    let { position } = decision;
    for (const hook of this.removals) position = (await hook(decision, followUp(meta))) ?? position;
    return { ...decision, position };
  }

  /** The keys of servers whose removal was cut off: nobody comes back to those. */
  async sweep(): Promise<void> {
    for (const { id, workspace } of await unseenHolders(this.db)) await this.shredGone(id, workspace);
  }

  /** By the log, so that what somebody left behind who died or was overtaken in the midst of a change goes too. */
  private async shredGone(id: string, workspace: string): Promise<void> {
    const { state } = await this.decisions.load(serversDecider, id, workspace);
    if (state.is === 'unknown') return;
    const { gone } = state.is === 'removed' ? state.was : state;
    for (const ref of gone) await this.keys.shred(workspace, ref);
  }

  /** For features that stand on servers; they also look for what a crash in the middle left behind. */
  onRemoval(hook: OnRemoval): void {
    this.removals.push(hook);
  }

  /** For features whose files lie in the folder of the sites, before the server gets another one. */
  beforeMove(refuse: BeforeMove): void {
    this.moves.push(refuse);
  }

  /** A repeated command may be refused although its first time went well, and the key is in use. */
  private async shredUnlessUsed(workspace: string, id: string, ref: string): Promise<void> {
    const { state } = await this.decisions.load(serversDecider, id, workspace);
    if (state.is !== 'registered' || state.key.ref !== ref) await this.keys.shred(workspace, ref);
  }

  /** Only a refusal is certain to have written nothing; after any other failure nothing is taken back. */
  private async orUndo<T>(undo: () => Promise<void>, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError) await undo();
      throw error;
    }
  }
}
