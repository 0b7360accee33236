/**
 * Combines the appends of concurrent callers. One batch is written at a time, and appends that arrive during it go into
 * the next batch. All callers of a batch share its commit.
 */
import type { EncodedEvent } from '../../codec';
import type { ExpectedRevision } from '../../envelope';
import type { KeptAppend } from '../engine';
import { EventIdTaken, InvalidEvent, LogDamaged, WrongExpectedRevision } from '../event-store';
import { faultOf, unavailable, type Fault } from './faults';
import type { AppendClient, WrittenBatch } from './append-client';

export interface PendingAppend {
  stream: string;
  expected: ExpectedRevision;
  events: EncodedEvent[];
  resolve(result: KeptAppend): void;
  reject(error: Error): void;
}

/**
 * Half of the usual backlog under load: while the database works on one half, the callers of the other half prepare.
 */
const MAX_APPENDS = 128;
const MAX_EVENTS = 2_000;
const MAX_CHARACTERS = 4_000_000;
const MAX_ATTEMPTS: Record<Fault, number> = { unavailable: 2, retry: 5, duplicate: 4, refused: 2 };

export class Appender {
  #queue: PendingAppend[] = [];
  #draining: Promise<void> | undefined;

  constructor(
    private readonly client: AppendClient,
    private readonly told: {
      /** Called for each batch in log order, before its callers are answered. */
      onWritten: (batch: PendingAppend[], written: WrittenBatch) => void;
      /** Called when appends without an answer turn out to be in the log. */
      onFound: () => void;
    },
  ) {}

  append(stream: string, events: EncodedEvent[], expected: ExpectedRevision): Promise<KeptAppend> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ stream, expected, events, resolve, reject });
      // Callers that were answered together also return together. Waiting a tick collects all of them, not only the
      // first.
      this.#draining ??= Promise.resolve().then(() => this.#drain());
    });
  }

  /** Settles when every append accepted so far has been answered. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    let answer: (() => void) | undefined;
    while (this.#queue.length > 0) {
      const written = this.#write(this.#take(), 1);
      answer?.();
      answer = await written;
    }
    this.#draining = undefined;
    answer?.();
  }

  #take(): PendingAppend[] {
    const ids = new Set<string>();
    let events = 0;
    let characters = 0;
    let count = 0;
    for (const append of this.#queue) {
      events += append.events.length;
      for (const event of append.events) characters += event.data.length + event.meta.length;
      const full = count >= MAX_APPENDS || events > MAX_EVENTS || characters > MAX_CHARACTERS;
      // If the same ids are twice in one batch, a retry has overtaken its original. It waits for the next batch, where
      // the log answers it.
      if (count > 0 && (full || append.events.some(({ id }) => ids.has(id)))) break;
      for (const { id } of append.events) ids.add(id);
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  /** Writes a batch, and never rejects: resolves with the function that answers its callers. */
  async #write(batch: PendingAppend[], attempt: number): Promise<() => void> {
    try {
      const written = await this.client.append(batch);
      return () => this.#answer(batch, written);
    } catch (error) {
      return this.#recover(batch, attempt, error);
    }
  }

  #answer(batch: PendingAppend[], written: WrittenBatch): void {
    this.told.onWritten(batch, written);
    let position = written.start;
    const conflicts: { append: PendingAppend; actual: number }[] = [];
    batch.forEach((append, index) => {
      const outcome = written.outcomes[index] ?? -1;
      if (outcome >= 0) {
        position += append.events.length;
        append.resolve({ revision: outcome, position: String(position) });
      } else conflicts.push({ append, actual: -2 - outcome });
    });
    if (conflicts.length > 0) void this.#answerConflicts(conflicts);
  }

  /** The same ids in the same stream are a success: an apparent conflict may be a retry. */
  async #answerConflicts(conflicts: { append: PendingAppend; actual: number }[]): Promise<void> {
    try {
      const known = await this.client.find(
        conflicts.flatMap(({ append }) => append.events.map(({ id }) => id)),
      );
      for (const { append, actual } of conflicts) {
        const result = known(append);
        if (result) append.resolve(result);
        else append.reject(new WrongExpectedRevision(append.stream, append.expected, actual));
      }
    } catch (error) {
      for (const { append } of conflicts) append.reject(unavailable(error));
    }
  }

  /**
   * The batch as a whole failed and left nothing behind, or its outcome is unknown. Appends whose ids are in the log
   * succeeded; the others are written again. If the database refuses the data, writing them one by one finds the
   * culprit.
   */
  async #recover(batch: PendingAppend[], attempt: number, error: unknown): Promise<() => void> {
    const fault = faultOf(error);
    const refuse = (appends: PendingAppend[], reason: unknown) => () =>
      appends.forEach((append) => append.reject(rejection(append, fault, reason)));
    if (attempt >= MAX_ATTEMPTS[fault] || (fault === 'refused' && batch.length === 1))
      return refuse(batch, error);
    const answers: (() => void)[] = [];
    const rest: PendingAppend[] = [];
    try {
      const known = await this.client.find(batch.flatMap(({ events }) => events.map(({ id }) => id)));
      for (const append of batch) {
        const result = known(append);
        if (result) answers.push(() => append.resolve(result));
        else rest.push(append);
      }
      if (answers.length > 0) this.told.onFound();
    } catch (failure) {
      return () => batch.forEach((append) => append.reject(unavailable(failure)));
    }
    const stuck = fault === 'duplicate' && rest.length === batch.length;
    if (stuck && batch.length === 1) {
      const problem = await this.client.problem().catch(() => undefined);
      if (problem) return () => batch.forEach((append) => append.reject(new LogDamaged(problem, error)));
      return refuse(batch, error);
    }
    const parts =
      stuck || fault === 'refused' ? rest.map((append) => [append]) : rest.length > 0 ? [rest] : [];
    for (const part of parts) answers.push(await this.#write(part, attempt + 1));
    return () => answers.forEach((answer) => answer());
  }
}

function rejection(append: PendingAppend, fault: Fault, reason: unknown): Error {
  if (fault === 'unavailable' || fault === 'retry') return unavailable(reason);
  const problem = reason instanceof Error ? reason.message : String(reason);
  const type = append.events[0]?.type ?? '';
  return fault === 'duplicate' ? new EventIdTaken(type) : new InvalidEvent(type, problem);
}
