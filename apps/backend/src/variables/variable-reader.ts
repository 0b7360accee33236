/** The variables of a service, for internal use by the back end. Only runs and running apps may read values. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { comparePositions, streamName, type Position } from '@quarterdeck/events';
import { foldEvents, type Decision } from '../platform/decider';
import { DatabaseConnections } from '../databases';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { DB, EVENT_STORE, VAULT } from '../platform/tokens';
import type { EventStore, Pool, Vault } from '../platform/tokens';
import { Fingerprints } from './fingerprints';
import { databaseOf, requireService } from './variables.queries';
import {
  RestoreVariables,
  variablesDecider,
  variablesIn,
  type Variable,
  type VariableEvent,
} from './variables.decider';

/** A variable without its value. */
export interface Print {
  key: string;
  secret: boolean;
  fingerprint: string;
}

export interface OpenVariable extends Print {
  value: string;
}

const byKey = (a: { key: string }, b: { key: string }): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : 0;

/** A saved variable overrides the database's variable of the same name. */
const joined = <T extends Print>(saved: readonly T[], ofDatabase: readonly T[]): T[] => {
  const keys = new Set(saved.map(({ key }) => key));
  return [...saved, ...ofDatabase.filter(({ key }) => !keys.has(key))].toSorted(byKey);
};

const printOf = ({ key, secret, fingerprint }: Variable): Print => ({
  key,
  secret: secret !== undefined,
  fingerprint,
});

@Injectable()
export class VariableReader {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly decisions: Decisions,
    private readonly commands: CommandBus,
    private readonly databases: DatabaseConnections,
    private readonly fingerprints: Fingerprints,
  ) {}

  /** Like `read`, without the values. */
  async prints(service: string, env: number, workspace: string): Promise<Print[]> {
    const [saved, ofDatabase] = await Promise.all([
      this.saved(service, env, workspace),
      this.ofDatabase(service, env, workspace),
    ]);
    return joined(
      saved.map(printOf),
      ofDatabase.map(({ key, secret, fingerprint }) => ({ key, secret, fingerprint })),
    );
  }

  /**
   * The variables that a service runs with: its saved variables, and those for the connection to the environment's
   * database if the service has one. Sorted by key. `env`: 1 dev, 2 test, 3 prod.
   * @throws DomainError `notFound`; `conflict` if the vault has lost a value
   */
  async read(service: string, env: number, workspace: string): Promise<OpenVariable[]> {
    const [saved, ofDatabase] = await Promise.all([
      this.saved(service, env, workspace),
      this.ofDatabase(service, env, workspace),
    ]);
    const open = await Promise.all(
      saved.map(async (one) => ({ ...printOf(one), value: await this.valueOf(one, workspace) })),
    );
    return joined(open, ofDatabase);
  }

  /** @throws DomainError `conflict` if the vault has lost it */
  async valueOf({ key, value, secret }: Variable, workspace: string): Promise<string> {
    if (!secret) return value ?? '';
    const kept = await this.vault.get({ workspace, ref: secret.ref });
    if (kept === undefined)
      throw new DomainError('conflict', `the secret value of ${key} was destroyed: set it again`);
    return kept;
  }

  /**
   * Gives an environment the variables that it had at a position of the log, as one event.
   * @throws DomainError `conflict` if a secret of that time was destroyed since
   */
  async rollBack(
    { id, name }: { id: string; name: string },
    env: number,
    to: Position,
    meta: CommandMeta,
  ): Promise<Decision> {
    const variables = await this.at(id, env, to, meta.workspace);
    for (const one of variables) await this.valueOf(one, meta.workspace);
    return this.commands.execute(new RestoreVariables(id, { service: name, env, variables }, meta));
  }

  private async at(service: string, env: number, to: Position, workspace: string): Promise<Variable[]> {
    const events = await this.store.readStream(streamName(variablesDecider.category, service));
    const until = events.filter(
      ({ meta, position }) => meta.workspace === workspace && comparePositions(position, to) <= 0,
    );
    const { variables } = foldEvents(variablesDecider, until as unknown as VariableEvent[]);
    return variablesIn(variables, env);
  }

  private async ofDatabase(id: string, env: number, workspace: string): Promise<OpenVariable[]> {
    const { product, withDb } = await requireService(this.db, workspace, id);
    const database = withDb ? await databaseOf(this.db, workspace, product, env) : undefined;
    if (database === undefined) return [];
    const { username, host, port, password, name } = await this.databases.access(database, workspace);
    const print = await this.fingerprints.of(id, workspace);
    const line = (key: string, value: string, secret = false): OpenVariable => ({
      key,
      secret,
      fingerprint: print(value),
      value,
    });
    return [
      line('DATABASE_USER', username),
      line('DATABASE_HOST', host),
      line('DATABASE_PASSWORD', password, true),
      line('DATABASE_NAME', name),
      line('DATABASE_PORT', String(port)),
    ];
  }

  private async saved(service: string, env: number, workspace: string): Promise<Variable[]> {
    const { state } = await this.decisions.load(variablesDecider, service, workspace);
    return variablesIn(state.variables, env);
  }
}
