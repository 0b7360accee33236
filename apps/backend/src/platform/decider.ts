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

/** `class RemoveServer extends command('RemoveServer')<{ alias?: string }>() {}` */
export const command =
  <T extends string>(type: T, traits: CommandTraits = {}) =>
  <D>(): CommandClass<T, D> =>
    class {
      readonly type = type;
      static readonly traits = traits;
      constructor(
        readonly id: string,
        readonly data: D,
        readonly meta: CommandMeta,
        readonly revision?: number,
      ) {}
    } as unknown as CommandClass<T, D>;

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
  clashes?(event: E['type'], command: C): boolean;
}

export const foldEvents = <S, C extends DomainCommand, E extends AppEvent>(
  decider: Decider<S, C, E>,
  events: readonly E[],
  from: S = decider.initial,
): S => events.reduce((state, event) => decider.evolve(state, event), from);
