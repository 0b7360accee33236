/**
 * The shape of a decision: state folded from a stream, a command, the events that follow. Pure: clock, ids and the
 * name of who asks come in with the command, and `decider-handlers.ts` does the reading and writing.
 */
import type { Command } from '@nestjs/cqrs';
import type { AppEvent, Position } from '@quarterdeck/events';
import type { CommandMeta } from './session';

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

/** `class RemoveServer extends command<'RemoveServer', { alias?: string }>('RemoveServer') {}` */
export const command = <T extends string, D>(type: T): CommandClass<T, D> =>
  class {
    readonly type = type;
    constructor(
      readonly id: string,
      readonly data: D,
      readonly meta: CommandMeta,
      readonly revision?: number,
    ) {}
  } as unknown as CommandClass<T, D>;

export interface Decider<S, C extends DomainCommand, E extends AppEvent = AppEvent> {
  /** First half of the stream's name, and the word for it in messages. */
  category: string;
  initial: S;
  /** Already so: `[]`. Refused: a thrown DomainError. */
  decide(command: C, state: S): readonly E[];
  evolve(state: S, event: E): S;
  /** Commands that begin a stream: they are tried on an empty one without a look, and think again when it is not. */
  opens: readonly C['type'][];
  /** Commands whose repetition writes nothing, which their tests then prove. */
  idempotent: readonly C['type'][];
  /** Whether an event since the revision that the asker looked at makes his command stale. Default: any does. */
  clashes?(event: E['type'], command: C): boolean;
}

export const foldEvents = <S, C extends DomainCommand, E extends AppEvent>(
  decider: Decider<S, C, E>,
  events: readonly E[],
  from: S = decider.initial,
): S => events.reduce((state, event) => decider.evolve(state, event), from);
