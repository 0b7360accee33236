/**
 * The shape of a decision: state folded from a stream, a command, the events that follow. Pure: clock, ids and the
 * name of who asks come in with the command, and `decider-handlers.ts` does the reading and writing.
 */
import type { Command } from '@nestjs/cqrs';
import type { AppEvent, Position } from '@quarterdeck/events';
import type { CommandMeta } from './sessions';

export interface DomainCommand<T extends string = string, D = unknown> {
  readonly type: T;
  /** Of what is decided about: the stream is `<category>-<id>`. */
  readonly id: string;
  readonly data: D;
  readonly meta: CommandMeta;
  /** The revision that the asker looked at: what changed since is a conflict, not something to write over. */
  readonly revision?: number | undefined;
}

/** What a carried-out command answers. */
export interface Decision {
  id: string;
  revision: number;
  /** Of the last event that was written; of the stream's newest when nothing had to be. */
  position: Position;
  /** How many events were written. */
  written: number;
}

export type CommandClass<T extends string, D> = new (
  id: string,
  data: D,
  meta: CommandMeta,
  revision?: number,
) => DomainCommand<T, D> & Command<Decision>;

export interface CommandTraits {
  /** Begins a stream: it is tried on an empty one without a look, and decided again if there is one. */
  opens?: true;
  /** Its repetition writes nothing, which its tests then prove. */
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
  /** First half of the stream's name, and the word for it in messages. */
  category: string;
  initial: S;
  /** Already so: `[]`. Refused: a thrown DomainError. */
  decide(command: C, state: S): readonly E[];
  evolve(state: S, event: E): S;
  commands: readonly (new (...args: never[]) => C)[];
  /** Whether an event since the revision that the asker looked at makes his command stale. Default: any does. */
  clashes?(event: E['type'], command: C): boolean;
}

export const foldEvents = <S, C extends DomainCommand, E extends AppEvent>(
  decider: Decider<S, C, E>,
  events: readonly E[],
  from: S = decider.initial,
): S => events.reduce((state, event) => decider.evolve(state, event), from);
