/** Generates a story with deciders: keeps the states of streams, the time within the story, and the random numbers. */
import { streamName, type AppEvent, type NewEvent } from '@quarterdeck/events';
import { v7 as uuid } from 'uuid';
import { foldEvents, type Decider, type DomainCommand } from '../apps/backend/src/platform/decider';
import { ownMeta, type CommandMeta } from '../apps/backend/src/platform/sessions/session';

export interface Append {
  stream: string;
  events: NewEvent[];
}

export interface TellerOptions {
  /** At least this many; the last episode is completed. */
  events: number;
  seed: number;
  /** Number of days in the story, up to `ends` (milliseconds since 1970). */
  days: number;
  ends: number;
}

export const DAY = 86_400_000;

const random = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

export abstract class Teller {
  /** The actors of the story. */
  abstract readonly people: readonly string[];
  protected readonly chance: () => number;
  private told = 0;
  /** States of streams that continue. A run's state is dropped at its end. */
  protected readonly states = new Map<string, unknown>();

  constructor(
    readonly workspace: string,
    private readonly options: TellerOptions,
  ) {
    this.chance = random(options.seed);
  }

  get isTold(): boolean {
    return this.told >= this.options.events;
  }

  /** A request by a person, or by the console itself, at a time between the beginning and the end. */
  protected meta(actor = this.one(this.people)): CommandMeta {
    const { events, days, ends } = this.options;
    const at = new Date(ends - days * DAY * Math.max(0, 1 - this.told / events)).toISOString();
    return { ...ownMeta(actor, this.workspace), at };
  }

  protected one<T>(of: readonly T[]): T {
    const chosen = of[Math.floor(this.chance() * of.length)];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  }

  protected decide<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    ...commands: C[]
  ): NewEvent[] {
    const stream = streamName(decider.category, commands[0]?.id ?? '');
    let state = (this.states.get(stream) as S | undefined) ?? decider.initial;
    const news = commands.flatMap((command) => {
      const { actor, workspace, correlationId, causationId, at } = command.meta;
      const decided = decider.decide(command, state);
      state = foldEvents(decider, decided, state);
      return decided.map(({ type, data }): NewEvent => ({
        type,
        data,
        meta: { id: uuid(), at, actor, workspace, correlationId, causationId, v: '1' },
      }));
    });
    if (decider.category !== 'run') this.states.set(stream, state);
    this.told += news.length;
    return news;
  }

  /** Yields nothing if the commands change nothing. */
  protected *on<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    ...commands: C[]
  ): Generator<Append> {
    const events = this.decide(decider, ...commands);
    if (events.length > 0) yield { stream: streamName(decider.category, commands[0]?.id ?? ''), events };
  }
}
