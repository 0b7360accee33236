/**
 * What products read, from memory where nothing has changed: what the caller has already (304) costs no query. Each
 * process hears of every change that its read models show, so it knows which of its answers are outdated.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { comparePositions, START, streamParts, type Position, type RecordedEvent } from '@quarterdeck/events';
import { LRUCache } from 'lru-cache';
import { ProjectedEvents } from '../platform/live';
import {
  DB,
  EVENT_STORE,
  type EventStore,
  LOGGER,
  type Logger,
  type Pool,
  type ProjectionRunner,
  PROJECTIONS,
} from '../platform/tokens';
import { PublicTokens } from '../public-tokens';
import {
  bodyAt,
  contentOf,
  etagOf,
  versionOf,
  type ReadRequest,
  type Content,
  type Version,
} from './public-contents';

/** How long a caller may show an answer without asking again. */
const MAX_AGE_S = 60;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_VERSIONS = 10_000;
/** Smaller answers take as many packets when they are compressed. */
const MIN_COMPRESSED = 1024;
const CATEGORIES: ReadonlySet<string> = new Set(['text', 'notification']);

const compressed = promisify(gzip);

export interface Answered {
  readonly etag: string;
  readonly body: Buffer;
  /** The same with gzip. Absent if that would hardly be shorter. */
  readonly zipped?: Buffer;
  /** The time at which another answer is due, in milliseconds since 1970. */
  readonly until?: number;
}

interface KnownVersion extends Version {
  /** The last change of the workspace that this process had heard of before it looked. */
  readonly heard: Position;
}

/** Seconds for which the answer may be shown without asking again. @param at milliseconds since 1970 */
export const maxAgeOf = ({ until }: Pick<Answered, 'until'>, at: number): number =>
  until === undefined ? MAX_AGE_S : Math.min(MAX_AGE_S, Math.max(0, Math.floor((until - at) / 1000)));

const nextEdge = ({ edges }: Version, at: number): Pick<Answered, 'until'> => {
  const until = edges.find((edge) => edge > at);
  return until === undefined ? {} : { until };
};

const answered = async (content: Content, asked: ReadRequest, at: number): Promise<Answered> => {
  const body = Buffer.from(bodyAt(content, asked, at));
  return {
    etag: etagOf(content, asked, at),
    body,
    ...(body.length >= MIN_COMPRESSED && { zipped: await compressed(body) }),
    ...nextEdge(content, at),
  };
};

@Injectable()
export class PublicReads implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stream: ProjectedEvents;
  /** Position of the last change, by workspace. */
  private readonly changes = new Map<string, Position>();
  /** Nothing is known of changes up to here. */
  private since: Position = START;
  private readonly versions = new LRUCache<string, KnownVersion>({ max: MAX_VERSIONS });
  private readonly answers = new LRUCache<string, Answered>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body, zipped }) => body.length + (zipped?.length ?? 0) + 1,
  });
  /** Whoever asks for the same thing meanwhile waits for the same query. */
  private readonly loading = new Map<string, Promise<unknown>>();

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(LOGGER) logger: Logger,
    private readonly tokens: PublicTokens,
  ) {
    this.stream = new ProjectedEvents(store, projections, {
      heard: (events) => this.heard(events),
      leftBehind: (position) => {
        this.changes.clear();
        this.since = position;
        this.tokens.forgetAll();
      },
      onFault: (error) => logger.warn({ err: error }, 'the events that public reads follow'),
    });
  }

  /** Runs before anything listens. */
  onApplicationBootstrap(): void {
    this.stream.start(this.projections.position());
  }

  onModuleDestroy(): void {
    this.stream.stop();
  }

  /** @param at milliseconds since 1970 */
  async etag(asked: ReadRequest, at: number): Promise<Pick<Answered, 'etag' | 'until'>> {
    const version = await this.version(asked);
    return { etag: etagOf(version, asked, at), ...nextEdge(version, at) };
  }

  /** @param at milliseconds since 1970 */
  async present(asked: ReadRequest, at: number): Promise<Answered> {
    const { etag } = await this.etag(asked, at);
    const key = `${asked.product} ${asked.what} ${etag}`;
    return (
      this.answers.get(key) ??
      this.once(key, async () => {
        const answer = await answered(await contentOf(this.db, asked), asked, at);
        // There may have been another change before the query.
        if (answer.etag === etag) this.answers.set(key, answer);
        return answer;
      })
    );
  }

  /** The answer at the instant that is asked about. @param at milliseconds since 1970 */
  async past(asked: ReadRequest, at: number): Promise<Answered> {
    return answered(await contentOf(this.db, asked), asked, at);
  }

  private async version(asked: ReadRequest): Promise<Version> {
    const key = `${asked.product} ${asked.what}`;
    const heard = this.lastChange(asked.workspace);
    const known = this.versions.get(key);
    if (known?.heard === heard) return known;
    return this.once(`${key} ${heard}`, async () => {
      const kept = { ...(await versionOf(this.db, asked)), heard };
      this.versions.set(key, kept);
      return kept;
    });
  }

  /** While this process reads the log to catch up, everything counts as changed. */
  private lastChange(workspace: string): Position {
    const projected = this.projections.position();
    if (comparePositions(this.stream.position, projected) < 0) return projected;
    return this.changes.get(workspace) ?? this.since;
  }

  private heard(events: readonly RecordedEvent[]): void {
    for (const { stream, meta, position } of events)
      if (CATEGORIES.has(streamParts(stream).category)) this.changes.set(meta.workspace, position);
    this.tokens.heard(events);
  }

  private once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const under = this.loading.get(key);
    if (under) return under as Promise<T>;
    const begun = work().finally(() => this.loading.delete(key));
    this.loading.set(key, begun);
    return begun;
  }
}
