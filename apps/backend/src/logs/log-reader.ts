/**
 * One followed log: one script on the server, however many browsers look at it. It begins with the first follower and ends
 * with the last one. After a lost connection it goes on where it stood. Followers take lines at their own pace from the newest
 * ones; who is too slow is told how many lines it missed, and delays nobody.
 */
import { randomBytes } from 'node:crypto';
import { Backoff, rest } from '@quarterdeck/events';
import type { LogLine, LogPush, LogState } from '@quarterdeck/contract';
import { DomainError } from '../platform/errors';
import type { StreamSink } from '../platform/live';
import { plain, SshFailure } from '../platform/ssh';
import type { LogAccess, LogOfServer } from './log-access';
import { following, type Following } from './log-commands';
import { LogRing } from './log-ring';

const RING = { lines: 20_000, characters: 8 * 1024 * 1024 };
/** Of one message to a browser. */
const BATCH = { lines: 2000, characters: 512 * 1024 };
const EVERY_MS = 80;
/** A browser that has not taken this much gets no more for now. */
const HIGH_WATER = 1024 * 1024;
/** One connection lasts no longer, so that a forgotten one ends. */
const CONNECTION_MS = 6 * 60 * 60 * 1000;
/** How often it is asked whether the server is still the same and still there. */
const RECHECK_MS = 10_000;
const MAX_ERROR = 500;
/** The script found that there is no such log. */
const NO_SUCH_LOG = 2;

interface Follower {
  sink: StreamSink<LogPush>;
  at: number;
  isNew: boolean;
}

export class LogReader {
  private readonly id = randomBytes(8).toString('hex');
  private readonly ring = new LogRing(RING);
  private readonly followers = new Set<Follower>();
  private readonly stop = new AbortController();
  private state: LogState = { is: 'connecting' };
  private timer: NodeJS.Timeout | undefined;
  private connection: AbortController | undefined;
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<void>;

  constructor(
    private readonly of: LogOfServer,
    private readonly access: LogAccess,
    private readonly onEnd: () => void,
  ) {
    this.ended = this.run().finally(() => {
      clearTimeout(this.timer);
      this.onEnd();
    });
  }

  get isEnding(): boolean {
    return this.stop.signal.aborted;
  }

  /** @param from what the follower has already; of another reader, it does not count */
  follow(sink: StreamSink<LogPush>, from?: { reader: string; at: number }): () => void {
    const at = from?.reader === this.id ? Math.min(from.at, this.ring.last) : undefined;
    const follower: Follower = { sink, at: at ?? 0, isNew: at === undefined };
    this.followers.add(follower);
    sink.emit({ reader: this.id, at: follower.at, state: this.state });
    this.schedule(0);
    return () => {
      this.followers.delete(follower);
      if (this.followers.size === 0) this.end();
    };
  }

  end(): void {
    this.stop.abort(new Error('nobody follows this log any more'));
  }

  private tell(state: LogState): void {
    this.state = state;
    for (const { sink } of this.followers) sink.emit({ state });
  }

  private async run(): Promise<void> {
    const backoff = new Backoff(200, 5000);
    let reader: Following | undefined;
    while (!this.isEnding) {
      try {
        const log = await this.access.logOf(this.of);
        reader ??= following(log, randomBytes(8).toString('hex'), (news) => this.heard(news, reader));
        const says = await this.connect(reader, () => backoff.reset());
        if (says === undefined || this.isEnding) continue;
        this.tell({ is: 'waiting', says });
      } catch (error) {
        if (this.isEnding) return;
        if (error instanceof DomainError && error.code !== 'unavailable') return this.giveUp(error.msg);
        const says =
          error instanceof SshFailure ? error.msg : 'The console could not read this log just now.';
        this.tell({ is: 'waiting', says: plain(says) });
      }
      await rest(backoff.next(), this.stop.signal).catch(() => undefined);
    }
  }

  /** @returns why it ended, in the words of the server; undefined if it should go on at once */
  private async connect(reader: Following, onContact: () => void): Promise<string | undefined> {
    const connection = new AbortController();
    this.connection = connection;
    const signal = AbortSignal.any([this.stop.signal, connection.signal]);
    const before = await this.identity();
    const recheck = setInterval(() => void this.recheck(before, connection), RECHECK_MS);
    let errors = '';
    try {
      const { exitCode, timedOut } = await this.access.run(this.of, {
        ...reader.next(),
        watches: true,
        timeoutMs: CONNECTION_MS,
        signal,
        onBytes: (stream, bytes) => {
          if (this.state.is !== 'live') {
            onContact();
            if (!reader.name) this.tell({ is: 'live' });
          }
          if (stream === 'err') errors = (errors + bytes.toString()).slice(-MAX_ERROR);
          else return this.take(reader.push(bytes));
        },
      });
      await this.take(reader.end());
      if (this.isEnding || timedOut || connection.signal.aborted || exitCode === 0) return undefined;
      const says = plain(errors.trim()) || 'The server stopped sending this log.';
      if (exitCode === NO_SUCH_LOG) this.giveUp(says);
      return says;
    } finally {
      clearInterval(recheck);
    }
  }

  private heard(news: 'started' | 'stopped' | 'replaced', reader: Following | undefined): void {
    const name = reader?.name?.();
    if (news === 'stopped') this.tell({ is: 'waiting', says: `The container ${name ?? ''} has stopped.` });
    else if (news === 'started') this.tell({ is: 'live', ...(name && { name }) });
  }

  /** The server may have been moved or removed meanwhile: then the connection is not the right one any more. */
  private async identity(): Promise<string> {
    const { host, port, username } = await this.access.server(this.of);
    return JSON.stringify([host, port, username, await this.access.logOf(this.of)]);
  }

  private async recheck(before: string, connection: AbortController): Promise<void> {
    try {
      if ((await this.identity()) !== before) connection.abort(new Error('the server has changed'));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'notFound') connection.abort(error);
    }
  }

  private giveUp(says: string): void {
    this.deliver();
    this.tell({ is: 'ended', says });
    this.end();
  }

  private async take(lines: readonly LogLine[]): Promise<void> {
    if (lines.length === 0) return;
    const texts = await this.access.masked(
      lines.map(({ text }) => text),
      this.of.workspace,
    );
    this.ring.add(lines.map((line, at) => ({ ...line, text: texts[at] ?? '' })));
    this.schedule(EVERY_MS);
  }

  private schedule(afterMs: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.deliver();
    }, afterMs);
  }

  private deliver(): void {
    let behind = false;
    for (const follower of this.followers) {
      if (follower.at === this.ring.last && !follower.isNew) continue;
      if (follower.sink.pressure() > HIGH_WATER) {
        behind = true;
        continue;
      }
      const { lines, at, missed } = this.ring.after(follower.at, BATCH);
      // What was there before somebody came is not missed.
      const lost = follower.isNew ? 0 : missed;
      follower.isNew = false;
      follower.at = at;
      if (lines.length > 0 || lost > 0) follower.sink.emit({ lines, at, ...(lost > 0 && { missed: lost }) });
      behind ||= at < this.ring.last;
    }
    if (behind) this.schedule(EVERY_MS);
  }
}
