/**
 * The users of an API, for operators. Their rows are in the product's database, which is asked directly. Each change is
 * recorded with the id of the user before the database keeps it, so nothing changes without a trace.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { ApiUsers as Page, apiInstances, apiUsers, InputOf } from '@quarterdeck/contract';
import { apiInstance, isTyped, type Position } from '@quarterdeck/events';
import { ApiLibrary, part, type InstanceView } from '../api-instances';
import { closed, DatabaseConnections, isLost, type Target } from '../databases';
import { ifRecorded } from '../platform/as-of';
import type { Decision } from '../platform/decider';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { NO_DATABASE } from './api-sources';
import type { Connection } from './child/connections';
import { UserStore, type UserChange, type UserDatabase } from './child/user-store';

const STATEMENT_MS = 20_000;

/** The command that records a change. */
const RECORDED_AS = {
  lock: 'userLocked',
  unlock: 'userUnlocked',
  signOut: 'userSignedOut',
  permit: 'userPermitted',
  delete: 'userDeleted',
} as const satisfies Record<UserChange['is'], string>;

@Injectable()
export class ApiUsers {
  constructor(
    private readonly library: ApiLibrary,
    private readonly databases: DatabaseConnections,
    @Inject(recordsOf(apiInstance)) private readonly instances: PlainRecords,
  ) {}

  /** @throws DomainError `conflict` without a database, `upstream` if it is away */
  async list(
    { instance: { uuid }, search = '', after = '', limit }: InputOf<typeof apiUsers.list>,
    meta: CommandMeta,
  ): Promise<Page> {
    const view = await this.library.instance(uuid, meta.workspace);
    const found = await this.inDatabase(view, meta, (store) => store.list(search, after, limit + 1));
    const users = found.slice(0, limit);
    const last = users.at(-1);
    return { users, ...(last && found.length > limit && { next: last.email }) };
  }

  /**
   * Records nothing if the user is so already.
   * @throws DomainError `notFound`, and as `list`
   */
  async change(
    { instance: { uuid: id }, user: { uuid: user } }: InputOf<typeof apiUsers.delete>,
    change: UserChange,
    meta: CommandMeta,
  ): Promise<{ id: string; position: Position }> {
    const { is, ...more } = change;
    const record = (): Promise<Decision> =>
      this.instances.perform(RECORDED_AS[is], id, { user, ...more }, meta);
    const repeated = await ifRecorded(record);
    if (repeated) return { id: user, position: repeated.done.position };
    const view = await this.library.instance(id, meta.workspace);
    let { position } = view as { position: Position };
    const isKnown = await this.inDatabase(view, meta, (store) =>
      store.change(user, change, async () => {
        ({ position } = await record());
      }),
    );
    if (!isKnown) throw notFound('user');
    return { id: user, position };
  }

  /** Removes an instance with its users. @throws DomainError `upstream` if their database is away */
  async removeInstance(
    { productId, instance: { uuid }, name, leaveUsers = false }: InputOf<typeof apiInstances.delete>,
    meta: CommandMeta,
  ): Promise<Decision> {
    const remove = (): Promise<Decision> => this.instances.remove(uuid, name, meta);
    const repeated = await ifRecorded(remove);
    if (repeated) return repeated.done;
    const view = await this.library.instance(uuid, meta.workspace, productId);
    // A name that the removal would refuse must not cost the users.
    if (name !== undefined && !isTyped(view.name, name))
      throw invalidField('name', 'this is not the name of the instance');
    const database = await this.library.database(view, meta.workspace);
    if (database && leaveUsers)
      await this.instances.perform('usersLeft', uuid, { database: database.name }, part('users left', meta));
    else if (database) await this.deleteAll(view, meta);
    return remove();
  }

  private async deleteAll(view: InstanceView, meta: CommandMeta): Promise<void> {
    const own = part('users deleted', meta);
    await this.inDatabase(view, meta, (store) =>
      store.deleteAll((users) => this.instances.perform('usersDeleted', view.id, { users }, own)),
    );
  }

  private async inDatabase<T>(
    view: InstanceView,
    meta: CommandMeta,
    work: (store: UserStore) => Promise<T>,
  ): Promise<T> {
    const database = await this.library.database(view, meta.workspace);
    if (!database) throw new DomainError('conflict', NO_DATABASE);
    const target = await this.databases.open(database.id, meta).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      throw new DomainError('upstream', `${AWAY}: ${error.msg}`, undefined, error.detail);
    });
    let refusal: unknown;
    const store = new UserStore(
      databaseOn(target, (error) => (refusal = error)),
      view.id,
    );
    return closed(target, work(store)).catch((error: unknown) => {
      if (error !== refusal || !(error instanceof Error)) throw error;
      throw new DomainError('upstream', `${isLost(error) ? AWAY : REFUSED}: ${error.message}`);
    });
  }
}

const AWAY = 'the database of this API cannot be reached';
const REFUSED = 'the database of this API refused to answer';

/** @param refused called with what the database throws */
const databaseOn = (target: Target, refused: (error: unknown) => void): UserDatabase => {
  const connection: Connection = {
    ask: (text, values = []) =>
      target.ask({ text }, values, STATEMENT_MS).catch((error: unknown) => {
        refused(error);
        throw error;
      }),
  };
  return {
    dialect: target.dialect,
    use: (work) => work(connection),
    within: async (work) => {
      await connection.ask('begin');
      // If it fails, the connection is closed, which rolls back.
      const result = await work(connection);
      await connection.ask('commit');
      return result;
    },
  };
};
