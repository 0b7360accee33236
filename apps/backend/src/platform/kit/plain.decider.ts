/** The decider of a noun of the kit: which commands it accepts, and which events they cause. */
import {
  eventNames,
  inWords,
  isTyped,
  revisionsOf,
  valuesFold,
  type AnyCommand,
  type AppEvent,
  type PlainNoun,
  type RecordValues as Values,
  type ValuesOf,
} from '@quarterdeck/events';
import { misfits, refusals, withoutUnfit } from '@quarterdeck/events/kit';
import { sameData } from '../same-data';
import { command, type Decider, type DomainCommand } from '../decider';
import { DomainError, invalidField, notFound } from '../errors';

export type { Values };

export type PlainState = { is: 'unknown' } | { is: 'removed'; was: Values } | { is: 'there'; was: Values };

/** A command as the rules of a noun see it. `now`: the fields before the command; absent for an addition. */
export type PlainChange<V> =
  | { is: 'add'; data: V; now?: undefined }
  | { is: 'edit'; data: Partial<V>; now: V }
  | { is: 'remove' | 'restore'; data?: undefined; now: V }
  | { is: 'command'; name: string; data: Values; now: V };

/** Optional rules of one noun. */
export interface Rules<V = Values> {
  /** Throws a DomainError to refuse. Otherwise returns the events: those of `plain()`, unless the noun decides more. */
  decide?(asked: PlainChange<V>, plain: () => readonly AppEvent[]): readonly AppEvent[];
  /** Derives the value of an empty unique field. It has to be unique like a given value. */
  derived?: { readonly [K in keyof V]?: (fields: V) => string };
}

/** The commands of a noun. Each noun has its own classes, because the command bus tells commands apart by class. */
export const commandsOf = ({ category, commands }: Pick<PlainNoun, 'category' | 'commands'>) => {
  class Add extends command(`${category}.add`, { opens: true, idempotent: true })<Values>() {}
  class Edit extends command(`${category}.edit`, { idempotent: true })<Values>() {}
  /** The name, as it was typed to confirm. */
  class Remove extends command(`${category}.remove`)<{ typed?: string | undefined }>() {}
  class Restore extends command(`${category}.restore`, { idempotent: true })<Record<string, never>>() {}
  /** An administrator is shown the secret in a field. */
  class Reveal extends command(`${category}.reveal`)<{ field: string }>() {}
  const ownOf = ([name, { sets }]: [string, AnyCommand]) => {
    class Own extends command(`${category}.${name}`, { ...(sets && { idempotent: true }) })<Values>() {}
    return [name, Own] as const;
  };
  /** Those of a rich noun, by name. */
  const own: Readonly<Record<string, ReturnType<typeof ownOf>[1]>> = Object.fromEntries(
    Object.entries(commands).map(ownOf),
  );
  return { Add, Edit, Remove, Restore, Reveal, own };
};

export type PlainCommands = ReturnType<typeof commandsOf>;
type PlainCommand = DomainCommand<string, Values>;
export type PlainDecider = Decider<PlainState, PlainCommand> & { readonly has: PlainCommands };

/** @param rules additional rules of the noun */
export const plainDecider = <P extends PlainNoun>(noun: P, rules: Rules<ValuesOf<P>> = {}): PlainDecider => {
  const { decide = (_, plain) => plain() } = rules as unknown as Rules;
  const { category, named, fields } = noun;
  const has = commandsOf(noun);
  const is = eventNames(noun);
  const revisions = revisionsOf(noun);
  const what = inWords(category);
  /** The type's name is built from the noun. The kit's test proves it with a round trip through the catalogue. */
  const event = (type: string, data: Values): AppEvent => ({ type, data }) as unknown as AppEvent;
  const nameIn = (of: Values): Values => ({ [named]: of[named] });
  const after = valuesFold(noun);
  const { own, ...plain } = has;
  const ownNames = new Map(Object.entries(own).map(([name, type]) => [type as unknown, name]));

  const added = (data: Values, state: PlainState): readonly AppEvent[] => {
    if (state.is === 'there' && sameData(state.was, after(undefined, { type: is.added, data }))) return [];
    if (state.is !== 'unknown') throw new DomainError('conflict', `this ${what} exists already`);
    return decide({ is: 'add', data }, () => [event(is.added, data)]);
  };

  const edited = (given: Values, now: Values): readonly AppEvent[] => {
    const data = withoutUnfit(noun, given, now);
    const changed = Object.keys(fields).filter((key) => key in data && !sameData(data[key], now[key]));
    if (changed.length === 0) return [];
    const wanted = { ...now, ...data };
    const [problem] = [...misfits(noun, wanted), ...refusals(noun, wanted, now)];
    if (problem) throw invalidField(problem[0].join('.'), problem[1]);
    return decide({ is: 'edit', data, now }, () => [
      ...(changed.includes(named) ? [event(is.renamed, nameIn(data))] : []),
      ...revisions.flatMap(({ type, keys, whole }) => {
        const touched = keys.filter((key) => changed.includes(key));
        const told = (whole ? keys : touched).map((key) => [key, wanted[key]] as const);
        return touched.length > 0 ? [event(type, Object.fromEntries(told))] : [];
      }),
    ]);
  };

  const removed = (typed: string | undefined, now: Values): readonly AppEvent[] => {
    if (typed !== undefined && !isTyped(String(now[named]), typed))
      throw invalidField(named, `this is not the ${inWords(named)} of the ${what}`);
    return decide({ is: 'remove', now }, () => [event(is.removed, nameIn(now))]);
  };

  const carriedOut = (name: string, data: Values, now: Values): readonly AppEvent[] => {
    const { records, refuses, sets } = noun.commands[name] as AnyCommand;
    const isSo = sets && Object.entries(sets(data, now)).every(([key, value]) => sameData(now[key], value));
    if (isSo) return [];
    const reason = refuses?.(data, now);
    if (reason !== undefined) throw new DomainError('conflict', reason);
    return decide({ is: 'command', name, data, now }, () => [event(records, data)]);
  };

  return {
    has,
    category,
    commands: [...Object.values(plain), ...Object.values(own)],
    initial: { is: 'unknown' },
    // Somebody saw a secret, and changed nothing.
    clashes: (type: string) => type !== is.revealed,
    decide: (given, state) => {
      if (given instanceof has.Add) return added(given.data, state);
      if (state.is === 'unknown') throw notFound(what);
      const { was } = state;
      if (given instanceof has.Restore)
        return state.is === 'there'
          ? []
          : decide({ is: 'restore', now: was }, () => [event(is.restored, nameIn(was))]);
      if (state.is === 'removed') throw notFound(what);
      if (given instanceof has.Reveal) return [event(is.revealed, given.data)];
      const name = ownNames.get(given.constructor);
      if (name !== undefined) return carriedOut(name, given.data, was);
      return given instanceof has.Remove ? removed(given.data.typed, was) : edited(given.data, was);
    },
    evolve: (state, event: { type: string; data: object }) => {
      const was = after(state.is === 'unknown' ? undefined : state.was, event);
      if (!was) return state;
      if (event.type === is.removed) return { is: 'removed', was };
      const isBack = event.type === is.added || event.type === is.restored;
      return { is: state.is === 'removed' && !isBack ? 'removed' : 'there', was };
    },
  };
};
