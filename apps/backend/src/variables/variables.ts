/** Changes of environment variables by operators. Secret values go to the vault before an event refers to them. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { looksLikeSecret, plainSecretIn } from '@quarterdeck/events';
import { withCurrentOnConflict } from '../platform/http';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { conflict, EditConflict, invalidField, notFound } from '../platform/errors';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, PROJECTIONS, VAULT } from '../platform/tokens';
import type { Pool, ProjectionRunner, Vault } from '../platform/tokens';
import { orShred } from '../platform/vault';
import { Fingerprints } from './fingerprints';
import { refusedPortVariable } from './port-variable';
import { requireService, variableDetail, type ServiceOf } from './variables.queries';
import {
  AddVariable,
  RemoveVariable,
  ReviseVariable,
  ShowVariables,
  variablesDecider,
  type Variable,
  type VariablesState,
} from './variables.decider';
import { VariableReader } from './variable-reader';

export interface VariableInput {
  key: string;
  value: string;
  env: number;
  secret: boolean;
}

const WAIT_MS = 2000;
const MAX_TRIES = 5;

@Injectable()
export class Variables {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly fingerprints: Fingerprints,
    private readonly open: VariableReader,
  ) {}

  async add(
    serviceId: string,
    product: string | undefined,
    given: Omit<VariableInput, 'secret'> & { secret?: boolean | undefined },
    meta: CommandMeta,
  ): Promise<{ id: string } & Pick<Decision, 'position'>> {
    const service = await requireService(this.db, meta.workspace, serviceId, product);
    refusePort(given, service);
    const id = idFor('variable', meta);
    const secret = given.secret ?? looksLikeSecret(given);
    const { position } = await this.withStoredSecrets(
      service.id,
      [{ id, ...given, secret }],
      meta,
      ([variable]) =>
        this.commands.execute(new AddVariable(service.id, { service: service.name, variable }, meta)),
    );
    return { id, position };
  }

  /** @param revision of the variable, as the editor saw it */
  async revise(
    id: string,
    data: { key: string; env: number; value?: string | undefined; secret?: boolean | undefined },
    revision: number | undefined,
    meta: CommandMeta,
  ): Promise<{ id: string } & Pick<Decision, 'position'>> {
    const edit = () => this.reviseSeen(id, data, revision, meta);
    const shown = async () => (await variableDetail(this.db, meta.workspace, id))?.variable;
    const { position } = await withCurrentOnConflict(this.projections, edit, shown);
    return { id, position };
  }

  /** Other variables of the service may change meanwhile: only a change of this one is a conflict. */
  private async reviseSeen(
    id: string,
    data: { key: string; env: number; value?: string | undefined; secret?: boolean | undefined },
    seen: number | undefined,
    meta: CommandMeta,
  ): Promise<Decision> {
    for (let tries = 1; ; tries++) {
      const shown = await this.shown(id, meta.workspace);
      if (seen !== undefined && shown.variable.revision > seen)
        throw conflict(
          'this environment variable was changed by somebody else in the meantime',
          shown.variable,
        );
      try {
        return await this.reviseOnce(id, shown.service, data, shown.revision, meta);
      } catch (error) {
        if (!(error instanceof EditConflict) || tries === MAX_TRIES) throw error;
        await this.projections.waitFor(error.position, WAIT_MS);
      }
    }
  }

  private async reviseOnce(
    id: string,
    of: ServiceOf,
    data: { key: string; env: number; value?: string | undefined; secret?: boolean | undefined },
    revision: number,
    meta: CommandMeta,
  ): Promise<Decision> {
    const { id: service, name } = of;
    const { state } = await this.decisions.load(variablesDecider, service, meta.workspace);
    const before = state.variables.find((one) => one.id === id);
    if (!before) throw notFound('environment variable');
    const secret = data.secret ?? before.secret !== undefined;
    if (data.value === undefined && before.secret && !secret)
      throw invalidField('data.value', 'type the value: a secret is not shown by making it plain');
    const value = data.value ?? (await this.open.valueOf(before, meta.workspace));
    const given = { id, key: data.key, env: data.env, value, secret };
    if (data.value !== undefined || data.key !== before.key) refusePort(given, of);
    return this.withStoredSecrets(service, [given], meta, ([variable]) =>
      this.commands.execute(new ReviseVariable(service, { service: name, variable }, meta, revision)),
    );
  }

  /** Removes a variable, and destroys its current and earlier secret values. */
  async remove(id: string, meta: CommandMeta): Promise<{ id: string } & Pick<Decision, 'position'>> {
    const { service } = await this.shown(id, meta.workspace);
    const removed = new RemoveVariable(service.id, { service: service.name, id }, meta);
    const { position } = await this.commands.execute(removed);
    await this.shredGone(service.id, meta.workspace);
    return { id, position };
  }

  /** Shows a secret value, and records that. */
  async reveal(id: string, meta: CommandMeta): Promise<{ value: string } & Pick<Decision, 'position'>> {
    const { service } = await this.shown(id, meta.workspace);
    const { state } = await this.decisions.load(variablesDecider, service.id, meta.workspace);
    const variable = state.variables.find((one) => one.id === id);
    if (!variable) throw notFound('environment variable');
    const value = await this.open.valueOf(variable, meta.workspace);
    const shown = new ShowVariables(service.id, { service: service.name, id }, meta);
    return { value, position: (await this.commands.execute(shown)).position };
  }

  /**
   * Calls `work` with variables whose secret values are in the vault. Destroys the new values if the work is refused. A
   * value that does not change keeps its reference.
   */
  async withStoredSecrets<T>(
    service: string,
    given: readonly (VariableInput & { id: string })[],
    meta: CommandMeta,
    work: (variables: [Variable, ...Variable[]], state: VariablesState) => Promise<T>,
  ): Promise<T> {
    const { workspace } = meta;
    const print = await this.fingerprints.of(service, workspace);
    const { state } = await this.decisions.load(variablesDecider, service, workspace);
    const fresh: string[] = [];
    const variables: Variable[] = [];
    for (const { id, key, env, value, secret } of given) {
      const fingerprint = print(value);
      const which = { id, env, key, fingerprint };
      const before = state.variables.find(
        (one) => one.fingerprint === fingerprint && (one.id === id || (one.env === env && one.key === key)),
      );
      if (!secret) {
        refusePlainSecret(key, value);
        variables.push({ ...which, value });
      } else if (before?.secret) variables.push({ ...which, secret: before.secret });
      else {
        const ref = idFor(`variable ${env} ${key}`, meta);
        await this.vault.put({ workspace, ref }, value, { kind: 'variable', fingerprint });
        fresh.push(ref);
        variables.push({ ...which, secret: { ref } });
      }
    }
    return orShred(this.vault, workspace, fresh, () => work(variables as [Variable, ...Variable[]], state));
  }

  /** Reads the log, so that it also destroys values left behind by a process that died. */
  async shredGone(service: string, workspace: string): Promise<void> {
    const { state } = await this.decisions.load(variablesDecider, service, workspace);
    for (const ref of state.gone) await this.vault.shred({ workspace, ref });
  }

  private async shown(id: string, workspace: string) {
    const found = await variableDetail(this.db, workspace, id);
    if (!found) throw notFound('environment variable');
    return found;
  }
}

const refusePort = (given: { key: string; value: string }, service: ServiceOf): void => {
  const reason = refusedPortVariable(given, service);
  if (reason !== undefined) throw invalidField('data.key', reason);
};

/** The log keeps plain values for ever. */
const refusePlainSecret = (key: string, value: string): void => {
  const found = plainSecretIn(value);
  if (found)
    throw invalidField('data.secret', `the value of ${key} looks like ${found.what}: mark it as secret`);
};
