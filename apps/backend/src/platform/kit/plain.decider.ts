/** The decider of a plain noun: which commands it accepts, and which events they cause. */
import {
  eventNames,
  inWords,
  isTyped,
  type AppEvent,
  type PlainNoun,
  type ValuesOf,
} from '@quarterdeck/events';
import { misfits, refusals, withoutUnfit } from '@quarterdeck/events/kit';
import { sameData } from '../same-data';
import { command, type Decider, type DomainCommand } from '../decider';
import { DomainError, invalidField, notFound } from '../errors';

export type Values = Readonly<Record<string, unknown>>;

/** The fields, and the id of the parent under the parent's category. */
export type PlainState = { is: 'unknown' } | { is: 'removed'; was: Values } | { is: 'there'; was: Values };

/** A command as the rules of a noun see it. `now`: the fields before the command; absent for an addition. */
export type Asked<V> =
  | { is: 'add'; data: V; now?: undefined }
  | { is: 'edit'; data: Partial<V>; now: V }
  | { is: 'remove' | 'restore'; data?: undefined; now: V };

/** Optional rules of one noun. */
export interface Rules<V = Values> {
  /** Throws a DomainError to refuse. Otherwise returns the events: those of `plain()`, unless the noun decides more. */
  decide?(asked: Asked<V>, plain: () => readonly AppEvent[]): readonly AppEvent[];
  /** Derives the value of an empty unique field. It has to be unique like a given value. */
  derived?: { readonly [K in keyof V]?: (fields: V) => string };
}

/** The commands of a noun. Each noun has its own classes, because the command bus tells commands apart by class. */
export const commandsOf = ({ category }: Pick<PlainNoun, 'category'>) => {
  class Add extends command(`${category}.add`, { opens: true, idempotent: true })<Values>() {}
  class Edit extends command(`${category}.edit`, { idempotent: true })<Values>() {}
  /** The name, as it was typed to confirm. */
  class Remove extends command(`${category}.remove`)<{ typed?: string | undefined }>() {}
  class Restore extends command(`${category}.restore`, { idempotent: true })<Record<string, never>>() {}
  /** An administrator is shown the secret in a field. */
  class Reveal extends command(`${category}.reveal`)<{ field: string }>() {}
  return { Add, Edit, Remove, Restore, Reveal };
};

export type PlainCommands = ReturnType<typeof commandsOf>;
type PlainCommand = DomainCommand<string, Values>;
export type PlainDecider = Decider<PlainState, PlainCommand> & { readonly has: PlainCommands };

/** @param rules additional rules of the noun */
export const plainDecider = <P extends PlainNoun>(noun: P, rules: Rules<ValuesOf<P>> = {}): PlainDecider => {
  const { decide = (_, plain) => plain() } = rules as unknown as Rules;
  const { category, named, fields } = noun;
  const has = commandsOf(noun);
  const is = eventNames(category);
  const what = inWords(category);
  /** The type's name is built from the noun. The kit's test proves it with a round trip through the catalogue. */
  const event = (type: string, data: Values): AppEvent => ({ type, data }) as unknown as AppEvent;
  const nameIn = (of: Values): Values => ({ [named]: of[named] });

  const added = (data: Values, state: PlainState): readonly AppEvent[] => {
    if (state.is === 'there' && sameData(state.was, data)) return [];
    if (state.is !== 'unknown') throw new DomainError('conflict', `this ${what} exists already`);
    return decide({ is: 'add', data }, () => [event(is.added, data)]);
  };

  const edited = (given: Values, now: Values): readonly AppEvent[] => {
    const data = withoutUnfit(noun, given, now);
    const changed = Object.keys(fields).filter((key) => key in data && !sameData(data[key], now[key]));
    const others = changed.filter((key) => key !== named).map((key) => [key, data[key]] as const);
    if (changed.length === 0) return [];
    const after = { ...now, ...data };
    const [problem] = [...misfits(noun, after), ...refusals(noun, after, now)];
    if (problem) throw invalidField(problem[0].join('.'), problem[1]);
    return decide({ is: 'edit', data, now }, () => [
      ...(changed.includes(named) ? [event(is.renamed, nameIn(data))] : []),
      ...(others.length > 0 ? [event(is.revised, Object.fromEntries(others))] : []),
    ]);
  };

  const removed = (typed: string | undefined, now: Values): readonly AppEvent[] => {
    if (typed !== undefined && !isTyped(String(now[named]), typed))
      throw invalidField(named, `this is not the ${inWords(named)} of the ${what}`);
    return decide({ is: 'remove', now }, () => [event(is.removed, nameIn(now))]);
  };

  return {
    has,
    category,
    commands: Object.values(has),
    initial: { is: 'unknown' },
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
      return given instanceof has.Remove ? removed(given.data.typed, was) : edited(given.data, was);
    },
    evolve: (state, { type, data }: { type: string; data: object }) => {
      if (type === is.added) return { is: 'there', was: data as Values };
      if (state.is === 'unknown') return state;
      if (type === is.removed) return { is: 'removed', was: state.was };
      if (type === is.restored) return { is: 'there', was: state.was };
      return type === is.renamed || type === is.revised
        ? { ...state, was: { ...state.was, ...data } }
        : state;
    },
  };
};
