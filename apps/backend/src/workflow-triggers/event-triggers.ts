/**
 * Starts instances for events of the log, in the process that holds the lease. Events are taken in their order, from the
 * place that was reached before, so each one fires a trigger once, whatever process was down meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  streamName,
  streamParts,
  workflowTrigger,
  type AppEvent,
  type Json,
  type Position,
  type RecordedEvent,
} from '@quarterdeck/events';
import { evaluateAll, type Outcome } from '../platform/expressions';
import { plainDecider } from '../platform/kit';
import { LeasedWork, Leases } from '../platform/leases';
import { ProjectedEvents } from '../platform/live';
import { ownMeta } from '../platform/sessions';
import { DB, EVENT_STORE, LOGGER, PROJECTIONS } from '../platform/tokens';
import type { EventStore, Logger, Pool, ProjectionRunner } from '../platform/tokens';
import { TriggerFirings } from './trigger-firings';
import { firedBy, type KnownTrigger, type TriggerVersions } from './trigger-history';
import { eventScope } from './trigger-rules';
import { triggerOf, type Trigger, type TriggerFields } from './trigger-view';

const PLACE = 'events';
const KEEP_MS = 5000;
const RETRY_MS = 1000;
/** Events that wait to be looked at. With more, the log is read again from the place that was reached. */
const MAX_WAITING = 2000;
/** How often a trigger starts something because of what it had started itself. */
export const MAX_IN_CHAIN = 10;

const decider = plainDecider(workflowTrigger);

@Injectable()
export class EventTriggers extends LeasedWork {
  private readonly triggers = new Map<string, KnownTrigger>();
  /** Types that any trigger has, or has had. */
  private readonly types = new Set<string>();
  private waiting: RecordedEvent[] = [];
  private isFull = false;
  private stream: ProjectedEvents | undefined;
  private working: Promise<void> = Promise.resolve();
  private stopped = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private kept: Position | undefined;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(LOGGER) logger: Logger,
    private readonly firings: TriggerFirings,
    leases: Leases,
  ) {
    super(leases, logger, { lease: 'workflow-events', what: 'the events that start workflows' });
  }

  protected begin(): void {
    this.stopped = new AbortController();
    const { signal } = this.stopped;
    this.working = this.working.then(() => this.open(signal));
    this.timer = setInterval(() => void this.work(() => this.keepPlace()), KEEP_MS).unref();
  }

  protected async cease(): Promise<void> {
    clearInterval(this.timer);
    this.stopped.abort();
    this.stream?.stop();
    this.stream = undefined;
    await this.working;
  }

  private async open(signal: AbortSignal): Promise<void> {
    await this.persistently(signal, async () => {
      this.triggers.clear();
      this.waiting = [];
      this.isFull = false;
      const { rows } = await this.db.query<{ id: string }>('select id from read.workflow_triggers');
      for (const { id } of rows) await this.learn(id);
      this.follow(await this.place());
    });
  }

  private follow(from: Position): void {
    if (this.stopped.signal.aborted) return;
    this.stream?.stop();
    this.stream = new ProjectedEvents(this.store, this.projections, {
      heard: (events) => this.heard(events),
      onFault: (error) =>
        this.logger.warn({ err: error }, 'the log could not be read for the triggers of workflows'),
    });
    this.stream.start(from);
  }

  /** Up to where events have fired. At first: where the first trigger was made. */
  private async place(): Promise<Position> {
    const { rows } = await this.db.query<{ position: string }>(
      'select position from app.workflow_places where name = $1',
      [PLACE],
    );
    if (rows[0]) return rows[0].position;
    const firsts = [...this.triggers.values()].flatMap(({ versions }) => versions[0]?.position ?? []);
    const [first] = firsts.sort((a, b) => Number(BigInt(a) - BigInt(b)));
    return first ?? this.projections.position();
  }

  private heard(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      const isOfTrigger = streamParts(event.stream).category === workflowTrigger.category;
      const { event: type } = event.data as { event?: unknown };
      if (isOfTrigger && typeof type === 'string') this.types.add(type);
      if (isOfTrigger || this.types.has(event.type)) this.waiting.push(event);
    }
    if (this.waiting.length > MAX_WAITING) {
      this.isFull = true;
      this.stream?.stop();
    }
    void this.work(() => this.takeWaiting());
  }

  private work(act: () => Promise<void>): Promise<void> {
    const { signal } = this.stopped;
    this.working = this.working.then(() => (signal.aborted ? undefined : this.persistently(signal, act)));
    return this.working;
  }

  private async takeWaiting(): Promise<void> {
    for (let [event] = this.waiting; event; [event] = this.waiting) {
      if (this.stopped.signal.aborted) return;
      await this.take(event);
      this.waiting.shift();
    }
    if (!this.isFull || !this.stream) return;
    this.isFull = false;
    this.follow(this.stream.position);
  }

  private async take(event: RecordedEvent): Promise<void> {
    const { category, id } = streamParts(event.stream);
    if (category === workflowTrigger.category) await this.learn(id);
    for (const known of this.triggers.values()) {
      const fields = firedBy(known, event);
      if (fields) await this.fire(known, fields, event);
    }
  }

  /** Reads what a trigger was at each of its events. */
  private async learn(id: string): Promise<void> {
    const events = await this.store.readStream(streamName(workflowTrigger.category, id));
    const [first] = events;
    if (!first) return;
    const versions: TriggerVersions[number][] = [];
    let state = decider.initial;
    for (const event of events) {
      state = decider.evolve(state, event as AppEvent);
      const fields = state.is === 'there' ? (state.was as unknown as TriggerFields) : undefined;
      if (fields?.event) this.types.add(fields.event);
      versions.push({ position: event.position, fields });
    }
    this.triggers.set(id, { id, workspace: first.meta.workspace, versions });
  }

  private async fire(
    { id, workspace }: KnownTrigger,
    fields: TriggerFields,
    event: RecordedEvent,
  ): Promise<void> {
    // Neither a removed workflow nor a removed trigger starts anything, whatever waits in the log.
    const now = await triggerOf(this.db, workspace, id);
    if (!now) return;
    const trigger: Trigger = { ...now, ...fields };
    const told = toldOf(event);
    const outcome = await this.matches(trigger, told);
    if (outcome.is === 'value' && outcome.value !== true) return;
    const { correlationId, id: eventId } = event.meta;
    await this.firings.fire(
      trigger,
      {
        source: `${event.type} ${eventId}`,
        data: { event: told },
        cause: { is: 'event', position: event.position },
        chain: correlationId,
        meta: { ...ownMeta('system', workspace, correlationId), causationId: eventId },
      },
      outcome.is === 'undecided'
        ? `its filter could not be decided: ${outcome.reason}`
        : await this.refusedChain(trigger, correlationId),
    );
  }

  private async matches({ filter }: Trigger, told: Json): Promise<Outcome> {
    if (filter.trim() === '') return { is: 'value', value: true };
    const facts = [{ event: JSON.stringify(told) }];
    const [outcomes] = await evaluateAll({
      expressions: [filter],
      scope: eventScope,
      wanted: 'condition',
      facts,
    });
    return outcomes?.[0] ?? { is: 'undecided', reason: 'it was not evaluated' };
  }

  private async refusedChain({ id }: Trigger, chain: string): Promise<string | undefined> {
    return (await this.firings.inChain(id, chain)) < MAX_IN_CHAIN
      ? undefined
      : `it has started ${MAX_IN_CHAIN} instances that led to each other, so this might never end`;
  }

  private async keepPlace(): Promise<void> {
    const place = this.stream?.position;
    if (place === undefined || place === this.kept || this.waiting.length > 0) return;
    await this.db.query(
      `insert into app.workflow_places (name, position) values ($1, $2)
       on conflict (name) do update set position = excluded.position`,
      [PLACE, place],
    );
    this.kept = place;
  }

  /** The order of events is kept: what fails is tried again before the next one. */
  private async persistently(signal: AbortSignal, act: () => Promise<void>): Promise<void> {
    while (!signal.aborted)
      try {
        return await act();
      } catch (error) {
        this.logger.warn({ err: error }, 'a trigger of a workflow could not be looked at');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
  }
}

/** What filters and instances see of an event. */
const toldOf = ({ type, stream, position, data, meta }: RecordedEvent): Json => {
  const { category, id } = streamParts(stream);
  return {
    type,
    id: meta.id,
    at: meta.at,
    actor: meta.actor,
    position,
    subject: { category, id },
    data: data as Json,
  };
};
