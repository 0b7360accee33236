/**
 * Executes commands on deciders: reads the stream, folds, decides, appends with the expected revision, and decides
 * again if another writer was faster. One generic handler serves every command on the CommandBus of @nestjs/cqrs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Global, Inject, Injectable, Module, type Provider } from '@nestjs/common';
import { CommandHandler, CqrsModule } from '@nestjs/cqrs';
import {
  comparePositions,
  inWords,
  streamName,
  START,
  type AppEvent,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '@quarterdeck/events';
import { WrongExpectedRevision } from '@quarterdeck/log/store';
import { LRUCache } from 'lru-cache';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { catalogue } from '@quarterdeck/events/catalogue';
import { foldEvents, traitsOf, type Decider, type Decision, type DomainCommand } from '../decider';
import { ChangedMeanwhile, DomainError, notFound, EditConflict } from '../errors';
import { askedInstant, beforeItsEffect, refuseUnrecorded, type Instant } from '../as-of';
import type { CommandMeta } from '../sessions';
import { EVENT_STORE, type EventStore } from '../tokens';
import { Undoing } from './undoing';

/** A stream as far as this process has read it. */
export interface Loaded<S> {
  state: S;
  /** -1: the stream does not exist. */
  revision: number;
  position: Position;
  /** The stream's workspace, from its first event. */
  workspace?: string;
}

const MAX_ATTEMPTS = 24;
const REMEMBERED_STREAMS = 10_000;

const ownId = ({ type, meta }: DomainCommand, stream: string, index: number): string =>
  uuidv5(`${stream}:${type}:${index}`, meta.commandId);

/** For a repeatable command, ids are derived from its own id, so that writing twice has no effect. */
const newEvents = (command: DomainCommand, stream: string, decided: readonly AppEvent[]): NewEvent[] =>
  decided.map(({ type, data }, index) => {
    const { actor, workspace, correlationId, causationId, at, keyed } = command.meta;
    const id = keyed ? ownId(command, stream, index) : uuidv7();
    const v = String(catalogue[type].version);
    return { type, data, meta: { id, at, actor, workspace, correlationId, causationId, v } };
  });

const backOff = (attempt: number): Promise<void> => sleep(Math.random() * Math.min(2 ** attempt, 40));

@Injectable()
export class Decisions {
  /**
   * Remembering states between commands saves reads. A remembered state may lack events of another process. A
   * successful append proves that it was current. Anything else (a refusal, "nothing to do") counts only after a fresh
   * read.
   */
  private readonly remembered = new LRUCache<string, Loaded<unknown>>({ max: REMEMBERED_STREAMS });

  /** By stream: the last retry in its queue. */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /**
   * State at present, or at the instant that the call asks about. A stream of another workspace looks like one that
   * does not exist.
   */
  async load<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    id: string,
    workspace: string,
  ): Promise<Loaded<S>> {
    const stream = streamName(decider.category, id);
    const instant = askedInstant.getStore() ?? beforeItsEffect.getStore();
    const loaded = await (instant ? this.asOf(decider, stream, instant) : this.refresh(decider, stream));
    return loaded.workspace === undefined || loaded.workspace === workspace ? loaded : unknownStream(decider);
  }

  /**
   * State without a read, as this process has last read or written the stream; undefined if it has not, or if the call is
   * about the past. Another process may have written since: for who proves it by the append that follows (`expected`), or
   * needs only what this process itself wrote.
   */
  known<S, C extends DomainCommand, E extends AppEvent>(
    { category }: Decider<S, C, E>,
    id: string,
    workspace: string,
  ): Loaded<S> | undefined {
    if (askedInstant.getStore() ?? beforeItsEffect.getStore()) return undefined;
    const loaded = this.remembered.get(streamName(category, id)) as Loaded<S> | undefined;
    return loaded?.workspace === workspace ? loaded : undefined;
  }

  /** The events of an earlier call with the same Idempotency-Key: of this command, whatever it would decide now. */
  async recordedBy<S, C extends DomainCommand, E extends AppEvent>(
    { category }: Decider<S, C, E>,
    command: C,
  ): Promise<(E & RecordedEvent)[]> {
    if (!command.meta.keyed) return [];
    const stream = streamName(category, command.id);
    const events = (await this.store.readStream(stream)) as unknown as (E & RecordedEvent)[];
    const from = events.findIndex(({ meta }) => meta.id === ownId(command, stream, 0));
    if (from < 0) return [];
    const others = events.slice(from).findIndex(({ meta }, at) => meta.id !== ownId(command, stream, at));
    return events.slice(from, others < 0 ? undefined : from + others);
  }

  async execute<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    command: C,
  ): Promise<Decision> {
    const stream = streamName(decider.category, command.id);
    if (beforeItsEffect.getStore()) {
      const own = await this.recordedBy(decider, command);
      const last = own.at(-1);
      if (last)
        return { id: command.id, revision: last.revision, position: last.position, written: own.length };
      refuseUnrecorded();
    }
    const remembered = this.remembered.get(stream) as Loaded<S> | undefined;
    const known = remembered ?? (traitsOf(command).opens ? unknownStream(decider) : undefined);
    // Most commands have no competitor. Those that lose an append retry one at a time, so they do not conflict again.
    return (
      (await this.attempt(decider, command, stream, known)) ??
      (await this.inTurn(stream, () => this.retry(decider, command, stream)))
    );
  }

  /** @returns undefined if another writer appended first */
  private async attempt<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    command: C,
    stream: string,
    remembered?: Loaded<S>,
  ): Promise<Decision | undefined> {
    const fresh = remembered === undefined;
    const known = remembered ?? (await this.refresh(decider, stream));
    try {
      if (command.expected !== undefined && known.revision !== command.expected)
        throw new ChangedMeanwhile(inWords(decider.category));
      await this.refuseStale(decider, command, stream, known);
      const decided = decide(decider, command, known);
      if (decided.length > 0) return await this.append(decider, command, stream, known, decided);
      if (fresh) return { id: command.id, revision: known.revision, position: known.position, written: 0 };
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return undefined;
      if (fresh || !(error instanceof DomainError)) throw error;
    }
    return this.attempt(decider, command, stream);
  }

  private async retry<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    command: C,
    stream: string,
  ): Promise<Decision> {
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      const decision = await this.attempt(decider, command, stream);
      if (decision) return decision;
      await backOff(attempt);
    }
    throw new ChangedMeanwhile(inWords(decider.category));
  }

  private async inTurn<T>(stream: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.turns.get(stream) ?? Promise.resolve()).then(work);
    const over = turn.catch(() => undefined);
    this.turns.set(stream, over);
    try {
      return await turn;
    } finally {
      if (this.turns.get(stream) === over) this.turns.delete(stream);
    }
  }

  private async append<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    command: C,
    stream: string,
    known: Loaded<S>,
    decided: readonly E[],
  ): Promise<Decision> {
    const expected = known.revision < 0 ? 'no_stream' : known.revision;
    const { revision, position } = await this.store.append(
      stream,
      newEvents(command, stream, decided),
      expected,
    );
    const state = foldEvents(decider, decided, known.state);
    this.remember(stream, {
      state,
      revision,
      position,
      workspace: known.workspace ?? command.meta.workspace,
    });
    return { id: command.id, revision, position, written: decided.length };
  }

  /** Reads what was written since the last read of this process. */
  private async refresh<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    stream: string,
  ): Promise<Loaded<S>> {
    const known = (this.remembered.get(stream) as Loaded<S> | undefined) ?? unknownStream(decider);
    const { events, revision } = await this.store.readAfter(stream, known.revision);
    const loaded = { ...fold(decider, known, events), revision };
    if (revision > known.revision) this.remember(stream, loaded);
    return loaded;
  }

  /** The result is not remembered: only present states are. */
  private async asOf<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    { position }: Instant,
  ): Promise<Loaded<S>> {
    const events = await this.store.readStream(stream);
    const past = events.filter((event) => comparePositions(event.position, position) <= 0);
    return fold(decider, unknownStream(decider), past);
  }

  private remember(stream: string, loaded: Loaded<unknown>): void {
    if (loaded.revision > (this.remembered.peek(stream)?.revision ?? -1)) this.remembered.set(stream, loaded);
  }

  private async refuseStale<S, C extends DomainCommand, E extends AppEvent>(
    decider: Decider<S, C, E>,
    command: C,
    stream: string,
    known: Loaded<S>,
  ): Promise<void> {
    const seen = command.revision;
    if (seen === undefined || seen >= known.revision || known.workspace !== command.meta.workspace) return;
    const since = await this.store.readStream(stream, { from: seen + 1 });
    const clashes = ({ type, data }: RecordedEvent): boolean =>
      decider.clashes?.(type as E['type'], command, data as E['data']) ?? true;
    if (!since.some(clashes)) return;
    // If the thing is gone or belongs to somebody else, the decider's own refusal is thrown.
    decide(decider, command, known);
    throw new EditConflict(inWords(decider.category), known.position);
  }
}

const fold = <S, C extends DomainCommand, E extends AppEvent>(
  decider: Decider<S, C, E>,
  known: Loaded<S>,
  events: readonly RecordedEvent[],
): Loaded<S> => {
  const last = events.at(-1);
  if (!last) return known;
  return {
    state: foldEvents(decider, events as unknown as E[], known.state),
    revision: last.revision,
    position: last.position,
    workspace: known.workspace ?? events[0]?.meta.workspace,
  };
};

const unknownStream = <S, C extends DomainCommand, E extends AppEvent>(
  decider: Decider<S, C, E>,
): Loaded<S> => ({
  state: decider.initial,
  revision: -1,
  position: START,
});

const decide = <S, C extends DomainCommand, E extends AppEvent>(
  decider: Decider<S, C, E>,
  command: C,
  known: Loaded<S>,
): readonly E[] => {
  if (known.workspace !== undefined && known.workspace !== command.meta.workspace)
    throw notFound(inWords(decider.category));
  return decider.decide(command, known.state);
};

/** Providers for a feature's module: one handler per command class. */
export const deciderHandlers = <S, C extends DomainCommand, E extends AppEvent>(
  decider: Decider<S, C, E>,
): Provider[] =>
  decider.commands.map((type) => {
    class Handler {
      constructor(readonly decisions: Decisions) {}
      execute(command: C): Promise<Decision> {
        return this.decisions.execute(decider, command);
      }
    }
    Inject(Decisions)(Handler, undefined, 0);
    CommandHandler(type as never)(Handler);
    Object.defineProperty(Handler, 'name', { value: `${type.name}Handler` });
    return Handler;
  });

/** Meta of a command that the console itself triggers: the same correlation, a new id. */
export const followUp = (meta: CommandMeta, causationId: string = meta.commandId): CommandMeta => ({
  actor: meta.actor,
  workspace: meta.workspace,
  correlationId: meta.correlationId,
  causationId,
  at: new Date().toISOString(),
  commandId: uuidv7(),
});

@Global()
@Module({
  imports: [CqrsModule.forRoot()],
  providers: [Decisions, Undoing],
  exports: [Decisions, Undoing, CqrsModule],
})
export class DecisionsModule {}
