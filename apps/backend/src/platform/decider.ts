/**
 * The shape of a decision: state folded from a stream, a command, the resulting events. Pure: clock, ids and actor come
 * with the command, and `decider-handlers.ts` reads and writes.
 */
import type { Command } from '@nestjs/cqrs';
import type { AppEvent, Position } from '@quarterdeck/events';
import type { CommandMeta } from './command-meta';

export interface DomainCommand<T extends string = string, D = unknown> {
  readonly type: T;
  /** Id of the subject. The stream is `<category>-<id>`. */
  readonly id: string;
  readonly data: D;
  readonly meta: CommandMeta;
  /** The revision that the caller saw. Later changes are a conflict, and are not overwritten. */
  readonly revision?: number | undefined;
  /**
   * The stream must not have grown since this revision. Otherwise `ChangedMeanwhile` is thrown, and the caller prepares the
   * command again.
   */
  readonly expected?: number | undefined;
}

/** The result of an executed command. */
export interface Decision {
  id: string;
  revision: number;
  /** Position of the last written event, or of the stream's newest one if nothing was written. */
  position: Position;
  /** Number of written events. */
  written: number;
}

export type CommandClass<T extends string, D> = new (
  id: string,
  data: D,
  meta: CommandMeta,
  revision?: number,
  expected?: number,
) => DomainCommand<T, D> & Command<Decision>;

export interface CommandTraits {
  /**
   * The command starts a stream: it is first tried on an empty stream without reading, and decided again if the stream
   * exists.
   */
  opens?: true;
  /** Repeating the command writes nothing. The decider's tests prove it. */
  idempotent?: true;
}

/** Decides a command: nothing to do is `[]`, and a refusal is a thrown DomainError. Pure. */
type Rule<D, S, E extends AppEvent> = (data: D, state: S, meta: CommandMeta) => readonly E[];

interface Ruled<S, E extends AppEvent> {
  readonly rule: Rule<never, S, E>;
}

interface Commanding<T extends string> {
  /** The rule is in the decider's `decide`. */
  <D>(): CommandClass<T, D>;
  <D, S, E extends AppEvent>(rule: Rule<D, S, E>): CommandClass<T, D> & Ruled<S, E>;
}

/**
 * A command with its rule. The rest is `deciderOf`'s:
 *
 * ```ts
 * export class RenamePerson extends command('RenamePerson')(
 *   ofMember((data: EventData<'PersonRenamed'>) => [{ type: 'PersonRenamed', data }]),
 * ) {}
 * ```
 */
export const command = <T extends string>(type: T, traits: CommandTraits = {}): Commanding<T> =>
  ((rule?: Rule<unknown, unknown, AppEvent>) =>
    class {
      readonly type = type;
      static readonly traits = traits;
      static readonly rule = rule;
      constructor(
        readonly id: string,
        readonly data: unknown,
        readonly meta: CommandMeta,
        readonly revision?: number,
        readonly expected?: number,
      ) {}
    }) as unknown as Commanding<T>;

/** The union of a decider's commands, from the list of their classes. */
export type CommandOf<L extends readonly (new (...args: never[]) => unknown)[]> = InstanceType<L[number]>;

export const traitsOf = (command: DomainCommand): CommandTraits =>
  (command.constructor as unknown as { traits: CommandTraits }).traits;

export interface Decider<S, C extends DomainCommand, E extends AppEvent = AppEvent> {
  /** First part of the stream's name, and the noun in messages. */
  category: string;
  initial: S;
  /** Nothing to do: `[]`. Refused: a thrown DomainError. */
  decide(command: C, state: S): readonly E[];
  evolve(state: S, event: E): S;
  commands: readonly (new (...args: never[]) => C)[];
  /** Whether an event after the caller's revision makes the command stale. Default: every event does. */
  clashes?(event: E['type'], command: C, data?: E['data']): boolean;
}

/** By event type, what it makes of the state. Events without an entry change nothing. */
export type Folds<S, E extends AppEvent, After = S> = {
  readonly [T in E['type']]?: (state: S, data: Extract<E, { type: T }>['data']) => After;
};

/** Folds of states of one kind. Another state stays as it is. */
export const foldsWhile =
  <S extends { is: string }, E extends AppEvent>() =>
  <I extends S['is']>(is: I, folds: Folds<Extract<S, { is: I }>, E, S>): Folds<S, E> =>
    Object.fromEntries(
      Object.entries(folds as unknown as Record<string, (state: S, data: never) => S>).map(([type, fold]) => [
        type,
        (state: S, data: never) => (state.is === is ? fold(state, data) : state),
      ]),
    ) as Folds<S, E>;

type RuledCommands<S, E extends AppEvent> = readonly ((new (...args: never[]) => DomainCommand) &
  Ruled<S, E>)[];

/** A decider of commands that have their rules with them. */
export const deciderOf =
  <S, E extends AppEvent>() =>
  <L extends RuledCommands<S, E>>({
    evolve,
    ...rest
  }: Pick<Decider<S, CommandOf<L>, E>, 'category' | 'initial' | 'clashes'> & {
    commands: L;
    evolve: Folds<S, E>;
  }): Decider<S, CommandOf<L>, E> => {
    const decider: Decider<S, DomainCommand, E> = {
      ...(rest as Omit<typeof rest, 'clashes'>),
      decide: ({ constructor, data, meta }, state) =>
        (constructor as unknown as { rule: Rule<unknown, S, E> }).rule(data, state, meta),
      evolve: (state, { type, data }) => {
        const fold = evolve[type as E['type']] as ((state: S, data: unknown) => S) | undefined;
        return fold ? fold(state, data) : state;
      },
    };
    return decider as Decider<S, CommandOf<L>, E>;
  };

export const foldEvents = <S, C extends DomainCommand, E extends AppEvent>(
  decider: Decider<S, C, E>,
  events: readonly E[],
  from: S = decider.initial,
): S => events.reduce((state, event) => decider.evolve(state, event), from);
