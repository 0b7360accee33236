/** The environment variables of a service: names are unique in an environment, values are plain or in the vault. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { variableEvents } from '@quarterdeck/events/catalogue';
import { MAX_VARIABLES } from '@quarterdeck/events/inputs';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, invalidField, notFound } from '../platform/errors';

export type VariableEvent = EventsOf<typeof variableEvents>;
export type Variable = EventData<'VariableAdded'>['variable'];
export type Changes = EventData<'VariablesImported'>;

/** `service`: its name. */
interface One {
  service: string;
  variable: Variable;
}

export class AddVariable extends command('AddVariable', { opens: true, idempotent: true })<One>() {}
export class ReviseVariable extends command('ReviseVariable', { idempotent: true })<One>() {}
export class RemoveVariable extends command('RemoveVariable')<{ service: string; id: string }>() {}
/** The new variables of the environment. Without `removeOthers`, its other variables are kept. */
export class ImportVariables extends command('ImportVariables', { opens: true, idempotent: true })<{
  service: string;
  env: number;
  variables: readonly Variable[];
  removeOthers: boolean;
}>() {}
/** Replaces all variables of the environment. */
export class RestoreVariables extends command('RestoreVariables', { idempotent: true })<{
  service: string;
  env: number;
  variables: readonly Variable[];
}>() {}
/**
 * Records that an administrator is shown the value of a variable, or without `id`, `count` values of an environment.
 * `count` includes the variables of its database, which are not in this stream.
 */
export class ShowVariables extends command('ShowVariables')<{
  service: string;
  id?: string;
  env?: number;
  count?: number;
}>() {}

const variableCommands = [
  AddVariable,
  ReviseVariable,
  RemoveVariable,
  ImportVariables,
  RestoreVariables,
  ShowVariables,
];
export type VariableCommand = CommandOf<typeof variableCommands>;

/** A secret that a variable has or had. */
interface StoredSecret {
  ref: string;
  variable: string;
  env: number;
  key: string;
}

export interface VariablesState {
  variables: readonly Variable[];
  /** Current and earlier secrets, which undo and rollback can restore. */
  kept: readonly StoredSecret[];
  /** References to secrets of removed variables, which the vault must destroy. */
  gone: readonly string[];
}

/** Compares fingerprints instead of values: they are made with one key per service, so equal values have equal ones. */
export const sameVariable = (a: Variable, b: Variable): boolean =>
  a.key === b.key &&
  a.env === b.env &&
  a.fingerprint === b.fingerprint &&
  (a.secret === undefined) === (b.secret === undefined);

export const variablesIn = (variables: readonly Variable[], env: number): Variable[] =>
  variables.filter((one) => one.env === env);

const whichOf = ({ id, env, key }: Variable) => ({ id, env, key });

/**
 * The changes from current to wanted variables of an environment. A variable keeps its id as long as it keeps its key.
 */
const changesTo = (
  service: string,
  env: number,
  now: readonly Variable[],
  wanted: readonly Variable[],
): Changes => {
  const byKey = new Map(now.map((one) => [one.key, one]));
  const kept = wanted.map((one) => ({ ...one, id: byKey.get(one.key)?.id ?? one.id }));
  const keys = new Set(wanted.map(({ key }) => key));
  return {
    service,
    env,
    added: kept.filter(({ key }) => !byKey.has(key)),
    changed: kept.filter((one) => {
      const before = byKey.get(one.key);
      return before !== undefined && !sameVariable(before, one);
    }),
    removed: now.filter(({ key }) => !keys.has(key)).map(whichOf),
  };
};

/** What an import changes. Also for its preview: the fingerprints of variables say enough, without references. */
export const importChanges = (
  { service, env, variables: imported, removeOthers }: ImportVariables['data'],
  { variables }: VariablesState,
): { changes: Changes; wanted: readonly Variable[] } => {
  const now = variablesIn(variables, env);
  const keys = new Set(imported.map(({ key }) => key));
  const others = removeOthers ? [] : now.filter(({ key }) => !keys.has(key));
  const wanted = [...others, ...imported];
  return { changes: changesTo(service, env, now, wanted), wanted };
};

const isNothing = ({ added, changed, removed }: Changes): boolean =>
  added.length + changed.length + removed.length === 0;

const refuseTwin = (variable: Variable, others: readonly Variable[]): void => {
  const twin = others.find(
    ({ id, env, key }) => id !== variable.id && env === variable.env && key === variable.key,
  );
  if (twin) throw invalidField('data.key', 'this environment already has a variable of this name');
};

const refuseMany = (variables: readonly Variable[], field: string): void => {
  if (variables.length > MAX_VARIABLES)
    throw invalidField(field, `an environment can have at most ${MAX_VARIABLES} variables`);
};

const find = (id: string, { variables }: VariablesState): Variable => {
  const known = variables.find((one) => one.id === id);
  if (!known) throw notFound('environment variable');
  return known;
};

const decide = (given: VariableCommand, state: VariablesState): readonly VariableEvent[] => {
  const { variables } = state;
  const { service } = given.data;
  switch (given.type) {
    case 'AddVariable': {
      const { variable } = given.data;
      const known = variables.find(({ id }) => id === variable.id);
      if (known && sameVariable(known, variable)) return [];
      if (known) throw new DomainError('conflict', 'this environment variable exists already');
      refuseTwin(variable, variables);
      refuseMany([...variablesIn(variables, variable.env), variable], 'data.key');
      return [{ type: 'VariableAdded', data: { service, variable } }];
    }
    case 'ReviseVariable': {
      const { variable } = given.data;
      if (sameVariable(find(variable.id, state), variable)) return [];
      refuseTwin(variable, variables);
      refuseMany([...variablesIn(variables, variable.env), variable], 'data.env');
      return [{ type: 'VariableRevised', data: { service, variable } }];
    }
    case 'RemoveVariable':
      return [{ type: 'VariableRemoved', data: { service, variable: whichOf(find(given.data.id, state)) } }];
    case 'ImportVariables': {
      const { changes, wanted } = importChanges(given.data, state);
      refuseMany(wanted, 'content');
      return isNothing(changes) ? [] : [{ type: 'VariablesImported', data: changes }];
    }
    case 'RestoreVariables': {
      const { env, variables: wanted } = given.data;
      const changes = changesTo(service, env, variablesIn(variables, env), wanted);
      return isNothing(changes) ? [] : [{ type: 'VariablesRestored', data: changes }];
    }
    case 'ShowVariables': {
      const { id, env = 0, count = 0 } = given.data;
      if (id !== undefined)
        return [{ type: 'VariableRevealed', data: { service, variable: whichOf(find(id, state)) } }];
      return count === 0 ? [] : [{ type: 'VariablesExported', data: { service, env, count } }];
    }
  }
};

const having = (state: VariablesState, set: readonly Variable[], removed: readonly { id: string }[] = []) => {
  const others = new Set([...set, ...removed].map(({ id }) => id));
  const known = new Set(state.kept.map(({ ref }) => ref));
  const fresh = set.flatMap(({ id, env, key, secret }) =>
    secret && !known.has(secret.ref) ? [{ ref: secret.ref, variable: id, env, key }] : [],
  );
  const used = new Set(set.map(({ secret }) => secret?.ref));
  return {
    variables: [...state.variables.filter(({ id }) => !others.has(id)), ...set],
    kept: [...state.kept, ...fresh],
    gone: state.gone.filter((ref) => !used.has(ref)),
  };
};

const evolve = (state: VariablesState, event: VariableEvent): VariablesState => {
  switch (event.type) {
    case 'VariableAdded':
    case 'VariableRevised':
      return having(state, [event.data.variable]);
    case 'VariableRemoved': {
      const { id, env, key } = event.data.variable;
      const isOf = (kept: StoredSecret): boolean =>
        kept.variable === id || (kept.env === env && kept.key === key);
      const present = new Set(
        state.variables.flatMap((one) => (one.id !== id && one.secret ? [one.secret.ref] : [])),
      );
      const gone = state.kept.filter((kept) => isOf(kept) && !present.has(kept.ref));
      const next = having(state, [], [{ id }]);
      return {
        ...next,
        kept: next.kept.filter((kept) => !gone.includes(kept)),
        gone: [...next.gone, ...gone.map(({ ref }) => ref)],
      };
    }
    case 'VariablesImported':
    case 'VariablesRestored':
      return having(state, [...event.data.added, ...event.data.changed], event.data.removed);
    case 'VariableRevealed':
    case 'VariablesExported':
      return state;
  }
};

export const variablesDecider: Decider<VariablesState, VariableCommand, VariableEvent> = {
  category: 'variable',
  commands: variableCommands,
  initial: { variables: [], kept: [], gone: [] },
  decide,
  evolve,
  clashes: (type) => type !== 'VariableRevealed' && type !== 'VariablesExported',
};
