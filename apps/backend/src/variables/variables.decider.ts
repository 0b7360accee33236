/** The environment variables of a service: names are unique in an environment, values are plain or in the vault. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { variableEvents } from '@quarterdeck/events/catalogue';
import { MAX_VARIABLES } from '@quarterdeck/events/inputs';
import { command, deciderOf, type CommandOf } from '../platform/decider';
import { DomainError, invalidField, notFound } from '../platform/errors';

export type VariableEvent = EventsOf<typeof variableEvents>;
export type Variable = EventData<'VariableAdded'>['variable'];
export type Changes = EventData<'VariablesImported'>;

/** `service`: its name. */
interface One {
  service: string;
  variable: Variable;
}

/** The new variables of the environment. Without `removeOthers`, its other variables are kept. */
interface Import {
  service: string;
  env: number;
  variables: readonly Variable[];
  removeOthers: boolean;
}

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
  { service, env, variables: imported, removeOthers }: Import,
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

export class AddVariable extends command('AddVariable', { opens: true, idempotent: true })(
  ({ service, variable }: One, { variables }: VariablesState) => {
    const known = variables.find(({ id }) => id === variable.id);
    if (known && sameVariable(known, variable)) return [];
    if (known) throw new DomainError('conflict', 'this environment variable exists already');
    refuseTwin(variable, variables);
    refuseMany([...variablesIn(variables, variable.env), variable], 'data.key');
    return [{ type: 'VariableAdded', data: { service, variable } }];
  },
) {}

export class ReviseVariable extends command('ReviseVariable', { idempotent: true })(
  ({ service, variable }: One, state: VariablesState) => {
    const { variables } = state;
    if (sameVariable(find(variable.id, state), variable)) return [];
    refuseTwin(variable, variables);
    refuseMany([...variablesIn(variables, variable.env), variable], 'data.env');
    return [{ type: 'VariableRevised', data: { service, variable } }];
  },
) {}

export class RemoveVariable extends command('RemoveVariable')(
  ({ service, id }: { service: string; id: string }, state: VariablesState) => [
    { type: 'VariableRemoved', data: { service, variable: whichOf(find(id, state)) } },
  ],
) {}

export class ImportVariables extends command('ImportVariables', { opens: true, idempotent: true })(
  (data: Import, state: VariablesState) => {
    const { changes, wanted } = importChanges(data, state);
    refuseMany(wanted, 'content');
    return isNothing(changes) ? [] : [{ type: 'VariablesImported', data: changes }];
  },
) {}

/** Replaces all variables of the environment. */
export class RestoreVariables extends command('RestoreVariables', { idempotent: true })(
  ({ service, env, variables: wanted }: Omit<Import, 'removeOthers'>, { variables }: VariablesState) => {
    const changes = changesTo(service, env, variablesIn(variables, env), wanted);
    return isNothing(changes) ? [] : [{ type: 'VariablesRestored', data: changes }];
  },
) {}

/**
 * Records that an administrator is shown the value of a variable, or without `id`, `count` values of an environment.
 * `count` includes the variables of its database, which are not in this stream.
 */
interface Showing {
  service: string;
  id?: string;
  env?: number;
  count?: number;
}

export class ShowVariables extends command('ShowVariables')(
  ({ service, id, env = 0, count = 0 }: Showing, state: VariablesState): VariableEvent[] => {
    if (id !== undefined)
      return [{ type: 'VariableRevealed', data: { service, variable: whichOf(find(id, state)) } }];
    return count === 0 ? [] : [{ type: 'VariablesExported', data: { service, env, count } }];
  },
) {}

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

const withOne = (state: VariablesState, { variable }: One): VariablesState => having(state, [variable]);
const withChanges = (state: VariablesState, { added, changed, removed }: Changes): VariablesState =>
  having(state, [...added, ...changed], removed);

export const variablesDecider = deciderOf<VariablesState, VariableEvent>()({
  category: 'variable',
  initial: { variables: [], kept: [], gone: [] },
  commands: [AddVariable, ReviseVariable, RemoveVariable, ImportVariables, RestoreVariables, ShowVariables],
  clashes: (type) => type !== 'VariableRevealed' && type !== 'VariablesExported',
  evolve: {
    VariableAdded: withOne,
    VariableRevised: withOne,
    VariableRemoved: (state, { variable: { id, env, key } }) => {
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
    },
    VariablesImported: withChanges,
    VariablesRestored: withChanges,
  },
});

export type VariableCommand = CommandOf<(typeof variablesDecider)['commands']>;
