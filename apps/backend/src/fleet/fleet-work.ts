/**
 * One run over many servers in this process: starts a part per server, a limited number at a time, and waits until they
 * end. Parts are separate runs. If this process dies, they continue, and the next process joins them by their ids.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  comparePositions,
  streamName,
  streamParts,
  type Position,
  type RecordedEvent,
} from '@quarterdeck/events';
import { isTransient } from '../platform/database';
import { followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { EventStore, Pool, ProjectionRunner } from '../platform/tokens';
import {
  StepCancelled,
  StepFailed,
  type LocalIo,
  type Report,
  type RunContext,
  type RunEngine,
  type RunNews,
} from '../runs';
import { fleetInput, partId, partOf, type FleetInput, type FleetServer } from './fleet-request';
import { partsOf } from './fleet.queries';
import { cancelledOf, countsOf, endByEvent, endByView, failureOf, lineOf, type HostEnd } from './host-end';

export interface FleetDeps {
  engine: RunEngine;
  news: RunNews;
  store: EventStore;
  projections: ProjectionRunner;
  db: Pool;
}

const TRY_AGAIN_MS = 1000;

const tooLate: HostEnd = { is: 'notStarted', reason: 'the run ended before its turn came' };

interface Waiting {
  resolve: (end: HostEnd) => void;
  reject: (reason: unknown) => void;
}

export class FleetPerformance {
  private readonly input: FleetInput;
  private readonly exitCodes = new Map<string, number | undefined>();
  /** By id of the part. */
  private readonly ends = new Map<string, HostEnd>();
  private readonly waiting = new Map<string, Waiting>();
  /** Parts that ended before the run was retried. */
  private readonly toRetry = new Set<string>();
  /** Parts that an earlier process started and that have not ended. */
  private readonly joined = new Set<string>();
  private readonly underWay = new Set<string>();

  constructor(
    private readonly deps: FleetDeps,
    private readonly context: RunContext,
    private readonly io: LocalIo,
  ) {
    this.input = fleetInput(context.request);
  }

  async perform(): Promise<{ report: Report }> {
    const { news } = this.deps;
    const { servers } = this.input;
    const { signal, end } = this.io;
    const unfollow = servers.map(({ id }) => news.follow(this.part(id), (event) => this.heard(event)));
    const onEnd = (): void => this.underWay.forEach((part) => this.cancel(part));
    const onLeave = (): void => {
      if (!end.aborted) for (const { reject } of this.waiting.values()) reject(signal.reason);
    };
    end.addEventListener('abort', onEnd);
    signal.addEventListener('abort', onLeave);
    try {
      await this.recall();
      const all = await this.onEach(servers);
      end.throwIfAborted();
      const report = countsOf(all);
      const failure = failureOf(all);
      if (failure) throw new StepFailed('servers', failure, report);
      const cancelled = cancelledOf(all);
      if (cancelled) throw new StepCancelled(cancelled, report);
      return { report };
    } finally {
      end.removeEventListener('abort', onEnd);
      signal.removeEventListener('abort', onLeave);
      for (const stop of unfollow) stop();
    }
  }

  private part(server: string): string {
    return partId(this.context.run, server);
  }

  /** Reads the results of an earlier process, once for all servers. Reads nothing if there was no such process. */
  private async recall(): Promise<void> {
    const { store, projections, db } = this.deps;
    const { run } = this.context;
    const events = await store.readStream(streamName('run', run));
    // Only the request and the start of the step: no earlier process worked on this run.
    if (events.length <= 2) return;
    const retriedAt = events.findLast(({ type }) => type === 'RunRetried')?.position;
    const head = await store.head();
    while (!(await projections.waitFor(head, TRY_AGAIN_MS))) this.throwIfLeft();
    for (const view of await partsOf(db, run, this.io.meta.workspace)) {
      if (this.ends.has(view.id)) continue;
      const end = endByView(view);
      if (!end) this.joined.add(view.id);
      else if (end.is !== 'succeeded' && isBefore(view.position, retriedAt)) this.toRetry.add(view.id);
      else this.ends.set(view.id, end);
    }
  }

  private async onEach(servers: readonly FleetServer[]): Promise<HostEnd[]> {
    const all: HostEnd[] = [];
    const queue = servers.values();
    const worker = async (): Promise<void> => {
      for (const server of queue) {
        const end = await this.on(server);
        all.push(end);
        this.io.print(`${lineOf(server.name, end)}\n`);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.input.concurrency, servers.length) }, worker));
    return all;
  }

  private async on(server: FleetServer): Promise<HostEnd> {
    const part = this.part(server.id);
    const known = this.ends.get(part);
    if (known) return known;
    this.underWay.add(part);
    try {
      if (!this.joined.has(part)) {
        const refused = await this.begin(part, server);
        if (refused) return refused;
      }
      // The cancel may have come before or during the start, when this part could not receive it.
      if (this.io.end.aborted) this.cancel(part);
      return await this.endOf(part);
    } finally {
      this.underWay.delete(part);
    }
  }

  /** Starts a part. @returns its end if it could not be started */
  private async begin(part: string, server: FleetServer): Promise<HostEnd | undefined> {
    const { engine } = this.deps;
    const { run } = this.context;
    for (let tried = false; ; tried = true) {
      this.throwIfLeft();
      const meta = followUp(this.io.meta, run);
      try {
        if (this.io.end.aborted) return tried ? await this.wasBegun(part) : tooLate;
        if (this.toRetry.has(part)) {
          await engine.retry(part, meta);
        } else {
          const { kind, what } = partOf(run, this.input, server);
          await engine.start(part, kind, what, meta);
        }
        return undefined;
      } catch (error) {
        if (!isTransient(error)) {
          if (error instanceof DomainError) return { is: 'notStarted', reason: error.msg };
          throw error;
        }
        await sleep(TRY_AGAIN_MS);
      }
    }
  }

  /** For a request that may or may not have reached the log. @returns undefined if the part was started */
  private async wasBegun(part: string): Promise<HostEnd | undefined> {
    const { engine } = this.deps;
    return (await engine.isOpen(part, this.io.meta.workspace)) ? undefined : tooLate;
  }

  /** Leaves the step if this process shuts down. The parts continue without this process. */
  private throwIfLeft(): void {
    if (!this.io.end.aborted) this.io.signal.throwIfAborted();
  }

  private endOf(part: string): Promise<HostEnd> {
    const end = this.ends.get(part);
    if (end) return Promise.resolve(end);
    if (this.io.signal.aborted && !this.io.end.aborted) return Promise.reject(this.io.signal.reason);
    return new Promise((resolve, reject) => this.waiting.set(part, { resolve, reject }));
  }

  private heard(event: RecordedEvent): void {
    const { id } = streamParts(event.stream);
    if (event.type === 'RunStepFinished')
      this.exitCodes.set(id, (event.data as { exitCode?: number }).exitCode);
    if (event.type === 'RunRetried') this.ends.delete(id);
    const end = endByEvent(event, this.exitCodes.get(id));
    if (!end) return;
    this.ends.set(id, end);
    this.waiting.get(id)?.resolve(end);
    this.waiting.delete(id);
  }

  private cancel(part: string): void {
    const meta = followUp(this.io.meta, this.context.run);
    this.deps.engine.cancelPart(part, meta, () => this.underWay.has(part));
  }
}

const isBefore = (position: Position, other: Position | undefined): boolean =>
  other !== undefined && comparePositions(position, other) < 0;
