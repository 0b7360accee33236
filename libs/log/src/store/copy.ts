/**
 * Copies a log event by event to another place, and compares the copy with the original. Both steps can be repeated:
 * each continues where it stopped, even after the process was killed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { START, type Position } from '../envelope';
import { BEGINNING, type Seal } from './audit';
import { chainHash } from './chain';
import { RevisionsMissing, type KeptEvent, type LogEngine } from './engine';
import { InvalidEvent, StoreUnavailable } from './event-store';
import type { AuthenticStore } from './authentic-store';

export interface MoveProgress {
  phase: 'checking' | 'copying' | 'comparing';
  /** Events handled so far. */
  events: number;
  /** Undefined if the total is unknown. */
  total: number | undefined;
}

/** The move was refused. A retry continues where it stopped. */
export class MoveRefused extends Error {
  override name = 'MoveRefused';
}

/** An error of the new place, told apart from errors of the old one. */
export class TargetFailed extends Error {
  override name = 'TargetFailed';
  constructor(cause: unknown) {
    super((cause as Error | undefined)?.message ?? String(cause), { cause });
  }
}

export const atTarget = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw new TargetFailed(error);
  });

const PAGE = 2_000;
/** Failures in a row without any progress. */
const TRIES = 5;
const PAUSE_MS = 500;
/** If the end of an EventStoreDB log has not changed for this long, no append is in flight any more. */
const QUIET_MS = 500;

const COMPARED = ['stream', 'revision', 'id', 'type', 'data', 'meta', 'recordedAt'] as const;

const differs = (one: KeptEvent | undefined, other: KeptEvent | undefined): boolean =>
  !one || !other || COMPARED.some((field) => one[field] !== other[field]);

const named = ({ type, stream, revision }: KeptEvent): string => `${type} at ${stream}, revision ${revision}`;

const isTransient = (error: unknown): boolean =>
  error instanceof StoreUnavailable || (error instanceof TargetFailed && isTransient(error.cause));

export class Copy {
  #compared: { source: Position; target: Position } = { source: START, target: START };
  #seal = BEGINNING;
  #count = 0;
  /** True once everything that this process sent was acknowledged. */
  #isQuiet = false;
  /** The next revision of each stream that this process has copied to. */
  readonly #next = new Map<string, number>();

  constructor(
    private readonly source: LogEngine,
    private readonly target: LogEngine,
    private readonly tell: (progress: MoveProgress) => void,
    /** Number of events in the source, if known. */
    private readonly total: number | undefined,
  ) {}

  /**
   * Copies until the source has no more events, or up to a position: a log in use has no fixed end. Retries after short
   * outages.
   */
  async copy(upTo?: Position): Promise<void> {
    for (let tries = 1; ; tries += 1)
      try {
        await this.#copyOn(upTo, () => (tries = 1));
        return;
      } catch (error) {
        if (error instanceof TargetFailed && error.cause instanceof RevisionsMissing)
          throw new MoveRefused(`${error.message}, so that nobody could copy it with its revisions`);
        if (error instanceof TargetFailed && error.cause instanceof InvalidEvent)
          throw new MoveRefused(`it cannot be kept there: ${error.message}`);
        if (!isTransient(error) || tries === TRIES) throw error;
        await sleep(PAUSE_MS * tries);
      }
  }

  /**
   * Compares up to the end of the copy, each event in full.
   * @param readers of the copy, whose chain is computed if its engine keeps none
   * @returns where the copy ends
   */
  async compare(readers: AuthenticStore): Promise<Seal> {
    for (;;) {
      const [sent, came] = await Promise.all([
        this.source.readAll(this.#compared.source, PAGE),
        atTarget(this.target.readAll(this.#compared.target, PAGE)),
      ]);
      const count = sent.length > 0 ? Math.min(sent.length, came.length) : came.length;
      const last = count - 1;
      if (count === 0) return (await this.target.chain?.seal()) ?? this.#seal;
      const wrong = came.findIndex((event, nth) => nth < count && differs(event, sent[nth]));
      const found = came[wrong];
      if (found)
        throw new MoveRefused(
          `the copy is not what was sent: ${named(found)}; empty its place and copy again`,
        );
      this.#compared = { source: sent[last]?.position ?? START, target: came[last]?.position ?? START };
      if (!this.target.chain)
        for (const event of readers.judged(came.slice(0, count)))
          this.#seal = { position: event.position, hash: chainHash(this.#seal.hash, event) };
      this.#count += count;
      this.tell({ phase: 'comparing', events: this.#count, total: this.total });
    }
  }

  async #copyOn(upTo: Position | undefined, onProgress: () => void): Promise<void> {
    const end = await this.#endOfCopy();
    this.#isQuiet = false;
    const after = await this.#placeOf(end);
    let copied = Number(this.target.name === 'postgres' ? (end?.position ?? 0) : 0);
    for await (const page of this.source.readOn(after, { upTo, size: PAGE })) {
      this.#refuseGaps(page);
      await atTarget(this.target.takeIn(page));
      copied += page.length;
      onProgress();
      this.tell({ phase: 'copying', events: copied, total: this.total });
    }
    this.#isQuiet = true;
  }

  /** Waits until no append of a killed copy can be in flight any more. */
  async #endOfCopy(): Promise<KeptEvent | undefined> {
    for (let end = await atTarget(this.target.newest()); ;) {
      if (!end || this.#isQuiet || this.target.name === 'postgres') return end;
      await sleep(QUIET_MS);
      const again = await atTarget(this.target.newest());
      if (again?.position === end.position) return end;
      end = again;
    }
  }

  /** Position in the source of the event that was copied last. */
  async #placeOf(end: KeptEvent | undefined): Promise<Position> {
    if (!end) return START;
    const [same] = await this.source.readStream(end.stream, { from: end.revision, limit: 1 });
    if (!same || differs(same, end))
      throw new MoveRefused(
        `there are events of another log, or newer ones than here: the last is ${named(end)}; name an empty place`,
      );
    return same.position;
  }

  #refuseGaps(page: readonly KeptEvent[]): void {
    for (const { stream, revision } of page) {
      const next = this.#next.get(stream);
      if (next !== undefined && revision > next) throw new MoveRefused(new RevisionsMissing(stream).message);
      this.#next.set(stream, revision + 1);
    }
  }
}
