/** Undoes changes of environment variables, a whole import at once. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { environments } from '@quarterdeck/events';
import { foldEvents } from '../platform/decider';
import { Decisions, Undoing, type Undone, type UndoGiven, type UndoPlan } from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { DB, VAULT, type Pool, type Vault } from '../platform/tokens';
import { findService } from './variables.queries';
import { Variables } from './variables';
import {
  AddVariable,
  RemoveVariable,
  RestoreVariables,
  ReviseVariable,
  sameVariable,
  variablesDecider,
  variablesIn,
  type Variable,
  type VariableCommand,
  type VariableEvent,
  type VariablesState,
} from './variables.decider';

const stateOf = (events: Undone['events']): VariablesState =>
  foldEvents(variablesDecider, events as unknown as VariableEvent[]);

const by = (state: VariablesState): ReadonlyMap<string, Variable> =>
  new Map(state.variables.map((one) => [one.id, one]));

const same = (a: Variable | undefined, b: Variable | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameVariable(a, b);

const nameOf = ({ key, env }: Variable): string => `${key} (${environments[env - 1] ?? env})`;

@Injectable()
export class VariableUndo implements OnModuleInit {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly undoing: Undoing,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly variables: Variables,
  ) {}

  onModuleInit(): void {
    this.undoing.use(
      ['VariableAdded', 'VariableRevised', 'VariableRemoved', 'VariablesImported', 'VariablesRestored'],
      (undone) => this.plan(undone),
    );
  }

  private async plan({ id, meta, before, events }: Undone): Promise<UndoPlan> {
    const { workspace } = meta;
    const service = await findService(this.db, workspace, id);
    if (!service) throw notFound('service');
    const { state, revision } = await this.decisions.load(variablesDecider, id, workspace);
    const [was, made, now] = [by(stateOf(before)), by(stateOf([...before, ...events])), by(state)];
    const touched = [...new Set([...was.keys(), ...made.keys()])].filter(
      (one) => !same(was.get(one), made.get(one)),
    );
    if (touched.every((one) => same(was.get(one), now.get(one))))
      throw new DomainError('conflict', 'it is already as it was before');
    for (const one of touched) refuseChanged(was.get(one) ?? made.get(one), made.get(one), now.get(one));
    const wanted = touched.flatMap((one) => was.get(one) ?? []);
    const lost = await this.lostOf(wanted, workspace);
    if (lost.length > 1)
      throw new DomainError('conflict', `the secret values of ${lost.map(nameOf).join(', ')} were destroyed`);
    const commandFor = (back: readonly Variable[], asker: CommandMeta) =>
      commandOf(id, service.name, touched, back, state, asker, revision);
    const subject = { category: variablesDecider.category, id, name: service.name };
    const carryOut = async (given: UndoGiven, asker: CommandMeta) => {
      if (lost.length === 0) {
        const decision = await this.commands.execute(commandFor(wanted, asker));
        await this.variables.shredGone(id, asker.workspace);
        return decision;
      }
      const texts = lost.map((one) => ({ ...one, value: given.secret ?? '', secret: true }));
      return this.variables.withStoredSecrets(id, texts, asker, (kept) =>
        this.commands.execute(commandFor([...wanted.filter((one) => !lost.includes(one)), ...kept], asker)),
      );
    };
    return {
      works: [{ subject, would: variablesDecider.decide(commandFor(wanted, meta), state), carryOut }],
      ...(lost.length > 0 && { needs: ['secret' as const] }),
    };
  }

  /** Secret values that were destroyed when their variable was removed. */
  private async lostOf(wanted: readonly Variable[], workspace: string): Promise<Variable[]> {
    const lost: Variable[] = [];
    for (const one of wanted)
      if (one.secret && (await this.vault.get({ workspace, ref: one.secret.ref })) === undefined)
        lost.push(one);
    return lost;
  }
}

const refuseChanged = (
  variable: Variable | undefined,
  made: Variable | undefined,
  now: Variable | undefined,
): void => {
  if (variable && !same(made, now))
    throw new DomainError('conflict', `${nameOf(variable)} was changed again since`);
};

/** A single variable is undone with an ordinary command; several variables are restored in one event. */
const commandOf = (
  id: string,
  service: string,
  touched: readonly string[],
  back: readonly Variable[],
  state: VariablesState,
  meta: CommandMeta,
  revision: number,
): VariableCommand => {
  const [only] = back;
  const [first = ''] = touched;
  if (touched.length === 1) {
    const isThere = state.variables.some((one) => one.id === first);
    if (!only) return new RemoveVariable(id, { service, id: first }, meta, revision);
    return isThere
      ? new ReviseVariable(id, { service, variable: only }, meta, revision)
      : new AddVariable(id, { service, variable: only }, meta, revision);
  }
  const of = new Set(touched);
  const env = back[0]?.env ?? state.variables.find((one) => of.has(one.id))?.env ?? 0;
  const others = variablesIn(state.variables, env).filter((one) => !of.has(one.id));
  return new RestoreVariables(id, { service, env, variables: [...others, ...back] }, meta, revision);
};
