import { Backoff } from '@quarterdeck/events';
import { SshFailure } from '../failure';
import type { SshPool } from '../pool';
import { newNonce } from '../remote-shell';
import type { ByteCommand, SshTarget } from '../target';
import { Ending } from './ending';
import { endInWords, type Said, ScriptMessages } from './script-messages';
import { detachedScripts } from './scripts';
import { startFiles } from './start-script';
import type { DetachedSettings, FollowOptions, RemoteEnd, RemoteWork } from './types';

export interface WorkToFollow extends RemoteWork {
  /** The shell command that sets the script's arguments. */
  setArguments: string;
}

/** The maximum of a timer, 24 days. */
const maxTimerMs = 2 ** 31 - 1;
/** States in which there is nothing to end on the server. */
const nothingThere = new Set<string>(['never', 'unknown', 'removed']);
/** How long the rest of the output may stall after the work was ended. */
const standstillMs = 5000;
/** How long to wait for a consumer that no longer takes output. */
const leaveMs = 2000;

/** One call of `run`. */
export class Following {
  /** Number of output bytes passed on. */
  private received: number;
  /** The work was started, or may have been. */
  private started: boolean;
  /** The work was seen on the server. */
  private known: boolean;
  private lost = false;
  private readonly backoff: Backoff;
  private ending: Ending | undefined;
  private left = false;
  /** Stop even if the work has not ended: nothing more can be read from the server. */
  private givenUp = false;
  private consumerFailure: { error: unknown } | undefined;
  private attempt = new AbortController();
  private wake: () => void = () => undefined;
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly pool: SshPool,
    private readonly target: () => Promise<SshTarget>,
    private readonly work: WorkToFollow,
    private readonly options: FollowOptions,
    private readonly settings: DetachedSettings,
  ) {
    this.received = options.from;
    this.backoff = new Backoff(150, settings.maxPauseMs);
    this.known = options.from > 0 || options.followOnly === true;
    this.started = this.known || options.resumed === true;
  }

  async run(): Promise<RemoteEnd> {
    const { cancel, leave } = this.options;
    const onCancel = (): void => this.end('cancelled');
    let onLeave = (): void => undefined;
    const leaving = new Promise<RemoteEnd>((resolve) => {
      onLeave = () => {
        this.left = true;
        this.stopAttempt();
        this.after(leaveMs, () => resolve({ is: 'left', report: {} }));
      };
    });
    cancel.addEventListener('abort', onCancel);
    leave.addEventListener('abort', onLeave);
    try {
      if (leave.aborted) return { is: 'left', report: {} };
      if (cancel.aborted) onCancel();
      this.watchClock();
      return await Promise.race([this.toTheEnd(), leaving]);
    } finally {
      for (const timer of this.timers) clearTimeout(timer);
      cancel.removeEventListener('abort', onCancel);
      leave.removeEventListener('abort', onLeave);
    }
  }

  private async toTheEnd(): Promise<RemoteEnd> {
    for (;;) {
      const before = this.received;
      const said = await this.follow();
      if (this.left) return { is: 'left', report: said?.report ?? {} };
      const end = said && (await this.judge(said));
      if (end) return end;
      if (this.ending && this.givenUp) {
        const mayStillRun = !(await this.ending.gone);
        return { is: this.ending.why, mayStillRun, report: said?.report ?? {} };
      }
      // Output that was still missing at the end is fetched at once.
      if (!said || this.received === before) await this.pause();
    }
  }

  /** Follows once, until the work or the connection ends. */
  private async follow(): Promise<Said | undefined> {
    const messages = new ScriptMessages(newNonce(), () => this.reached());
    this.attempt = new AbortController();
    // A stop that was requested while we waited for the server has had no effect yet.
    if (this.left || this.givenUp) return undefined;
    try {
      const { aborted } = await this.pool.exec(await this.target(), this.command(messages));
      this.started = true;
      // The pool is being closed.
      if (aborted && !this.givenUp) this.left = true;
      const said = messages.said();
      if (!said && !aborted) this.lose('The process that followed the work on the server was ended there.');
      return said;
    } catch (error) {
      if (this.consumerFailure) throw this.consumerFailure.error;
      if (this.attempt.signal.aborted) return undefined;
      if (error instanceof SshFailure && error.sent) this.started = true;
      if (!this.started && !this.ending) throw error;
      if (this.pool.isClosed) this.left = true;
      else this.lose(error instanceof Error ? error.message : String(error));
      return messages.said();
    }
  }

  private command(messages: ScriptMessages): ByteCommand {
    const { name, script, setArguments, privileged } = this.work;
    // Ending the work must never start it.
    const again = this.known || this.ending !== undefined;
    const files = [script, setArguments, startFiles.work, startFiles.run];
    const following = { name, word: messages.word, from: this.received };
    const sweeps = Math.random() < 1 / this.settings.sweepsOneIn ? 'yes' : 'no';
    return {
      ...(again
        ? detachedScripts.follow(following)
        : detachedScripts.startAndFollow({ ...following, sweeps }, [sizeOf(files), ...files])),
      privileged,
      watches: true,
      timeoutMs: maxTimerMs,
      signal: this.attempt.signal,
      onBytes: (stream, bytes) => (stream === 'err' ? messages.hear(bytes) : this.take(bytes)),
    };
  }

  private async take(bytes: Buffer): Promise<void> {
    this.received += bytes.length;
    try {
      await this.options.onOutput(bytes);
    } catch (error) {
      this.consumerFailure = { error };
      throw error;
    }
  }

  /** Undefined if more output is missing. */
  private async judge({ end, report }: Said): Promise<RemoteEnd | undefined> {
    if (!end || end.size > this.received) return undefined;
    if (end.is === 'exited') return { is: 'exited', exitCode: end.exitCode, report };
    // Work that was called off, or whose folder is gone, did not start and end normally.
    if (this.ending && !(nothingThere.has(end.is) && this.ending.why === 'timedOut'))
      return { is: this.ending.why, mayStillRun: !(await this.ending.gone), report };
    return { ...endInWords(end), report };
  }

  private end(why: 'cancelled' | 'timedOut'): void {
    if (this.ending || this.left) return;
    this.ending = new Ending(why, this.pool, this.target, this.work, this.settings.endPatienceMs);
    this.wake();
    void this.ending.gone.then((gone) => {
      if (!gone && this.lost) this.giveUp();
      else this.watchStandstill();
    });
  }

  /** The following should end with the work. If it does not, we wait only as long as output keeps coming. */
  private watchStandstill(): void {
    const { received } = this;
    this.after(standstillMs, () => {
      if (this.received === received) this.giveUp();
      else this.watchStandstill();
    });
  }

  private giveUp(): void {
    this.givenUp = true;
    this.stopAttempt();
  }

  private stopAttempt(): void {
    this.attempt.abort(new Error('no longer wanted'));
    this.wake();
  }

  private watchClock(): void {
    const leftMs = this.options.deadline - Date.now();
    if (leftMs <= 0) this.end('timedOut');
    else this.after(Math.min(leftMs, maxTimerMs), () => this.watchClock());
  }

  private after(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, ms);
    this.timers.add(timer);
  }

  private reached(): void {
    this.known = true;
    this.backoff.reset();
    if (!this.lost) return;
    this.lost = false;
    this.options.onConnection?.(false);
  }

  private lose(why: string): void {
    if (this.lost) return;
    this.lost = true;
    this.options.onConnection?.(true, why);
  }

  private async pause(): Promise<void> {
    const ms = this.backoff.next();
    if (this.left || this.givenUp) return;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      this.after(ms, resolve);
    });
  }
}

const sizeOf = (texts: string[]): string => String(Buffer.byteLength(texts.join('')));
