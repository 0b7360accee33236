/** Tells a story by deciders: keeps the states of streams, the time that it is in the story, and chance. */
import { streamName, type AppEvent, type NewEvent } from '@quarterdeck/events';
import { v7 as uuid } from 'uuid';
import { foldEvents, type Decider, type DomainCommand } from '../apps/backend/src/platform/decider';
import { ownMeta, type CommandMeta } from '../apps/backend/src/platform/sessions/session';

export interface Append {
  stream: string;
  events: NewEvent[];
}

export interface TellerOptions {
  /** At least so many; the last story is told to its end. */
  events: number;
  seed: number;
  /** The time that it took, up to `ends`, in milliseconds since 1970. */
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
  /** Who does what somebody does. */
  abstract readonly people: readonly string[];
  protected readonly chance: () => number;
  private told = 0;
  /** Of streams that go on; a run's is forgotten when it is told. */
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

  /** Somebody asks, or the console by itself, at a moment between the beginning and the end. */
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

  /** What a decider finds to be so already is no append. */
  protected *on<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    ...commands: C[]
  ): Generator<Append> {
    const events = this.decide(decider, ...commands);
    if (events.length > 0) yield { stream: streamName(decider.category, commands[0]?.id ?? ''), events };
  }
}
