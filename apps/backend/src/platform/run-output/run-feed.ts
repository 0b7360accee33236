/**
 * Sends a run's output to its watchers: first the stored chunks, then new ones, each once and in order. Slow clients
 * fall back to reading the table at their own pace, so nothing accumulates for them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutputChunk } from '@quarterdeck/projections';
import type { OutputListener, RunOutputs } from './run-output';

export interface OutputSink {
  emit(chunks: readonly OutputChunk[]): void;
  /** Bytes that were sent but not taken by the other side. */
  pressure(): number;
}

interface Watcher {
  sink: OutputSink;
  /** Sequence number of the last sent chunk. */
  at: number;
  live: boolean;
  stopped: boolean;
}

interface Feed {
  run: string;
  watchers: Set<Watcher>;
  /** The last chunk that live watchers have. */
  at: number;
  /** The last chunk that is known to exist. */
  announced: number;
  pulling: boolean;
}

const PAGE = 64;
const HIGH_WATER = 1024 * 1024;
const LOW_WATER = 256 * 1024;
const DRAIN_MS = 20;
const RETRY_MS = 500;

export class RunFeeds implements OutputListener {
  private readonly feeds = new Map<string, Feed>();

  constructor(
    private readonly outputs: RunOutputs,
    private readonly onFault: (error: unknown) => void,
  ) {
    outputs.listen(this);
  }

  /** @returns a function that stops it */
  watch(run: string, after: number, sink: OutputSink): () => void {
    const feed = this.feeds.get(run) ?? { run, watchers: new Set(), at: 0, announced: 0, pulling: false };
    this.feeds.set(run, feed);
    const watcher: Watcher = { sink, at: after, live: false, stopped: false };
    feed.watchers.add(watcher);
    void this.catchUp(feed, watcher);
    return () => {
      watcher.stopped = true;
      feed.watchers.delete(watcher);
      if (feed.watchers.size === 0) this.feeds.delete(run);
    };
  }

  get watched(): number {
    return this.feeds.size;
  }

  written(run: string, chunks: readonly OutputChunk[]): void {
    const feed = this.feeds.get(run);
    const first = chunks[0];
    if (!feed || !first) return;
    if (first.seq <= feed.at + 1) this.deliver(feed, chunks);
    else this.announced(run, chunks.at(-1)?.seq ?? first.seq);
  }

  announced(run: string, lastSeq: number): void {
    const feed = this.feeds.get(run);
    if (!feed) return;
    feed.announced = Math.max(feed.announced, lastSeq);
    if (feed.announced <= feed.at) return;
    // If nobody is live, watchers that catch up read the chunks themselves.
    if (![...feed.watchers].some(({ live }) => live)) feed.at = feed.announced;
    else void this.pull(feed);
  }

  unsure(): void {
    for (const feed of this.feeds.values()) void this.pull(feed, true);
  }

  private deliver(feed: Feed, chunks: readonly OutputChunk[]): void {
    for (const watcher of feed.watchers) {
      if (!watcher.live) continue;
      const fresh = chunks.filter(({ seq }) => seq > watcher.at);
      if (fresh.length === 0) continue;
      if (watcher.sink.pressure() > HIGH_WATER) {
        watcher.live = false;
        void this.catchUp(feed, watcher);
      } else {
        watcher.sink.emit(fresh);
        watcher.at = fresh.at(-1)?.seq ?? watcher.at;
      }
    }
    feed.at = Math.max(feed.at, chunks.at(-1)?.seq ?? 0);
  }

  /** Reads chunks written by another process, once for all live watchers. */
  private async pull(feed: Feed, unsure = false): Promise<void> {
    if (feed.pulling) return;
    feed.pulling = true;
    let more = unsure;
    while (feed.watchers.size > 0 && (more || feed.announced > feed.at)) {
      const chunks = await this.page(feed.run, feed.at);
      if (chunks && chunks.length > 0) this.deliver(feed, chunks);
      more = chunks?.length === PAGE;
      // The chunk was announced but is missing: its process could not write it. Wait for the next notice.
      if (chunks?.length === 0) feed.announced = feed.at;
    }
    feed.pulling = false;
  }

  private async catchUp(feed: Feed, watcher: Watcher): Promise<void> {
    while (!watcher.stopped) {
      if (watcher.sink.pressure() > LOW_WATER) {
        await sleep(DRAIN_MS);
        continue;
      }
      const known = feed.at;
      const chunks = await this.page(feed.run, watcher.at);
      if (watcher.stopped) return;
      if (chunks && chunks.length > 0) {
        watcher.sink.emit(chunks);
        watcher.at = chunks.at(-1)?.seq ?? watcher.at;
      }
      // The chunk was announced before the read but is missing. Do not wait for it. If it does come, a notice announces
      // it.
      if (chunks?.length === 0 && feed.at === known) feed.at = Math.min(feed.at, watcher.at);
      // No await between this check and the next delivery, so nothing is missed in between.
      if (chunks && chunks.length < PAGE && watcher.at >= feed.at) {
        watcher.live = true;
        return;
      }
    }
  }

  private async page(run: string, after: number): Promise<OutputChunk[] | undefined> {
    try {
      return await this.outputs.read(run, after, PAGE);
    } catch (error) {
      this.onFault(error);
      await sleep(RETRY_MS);
      return undefined;
    }
  }
}
