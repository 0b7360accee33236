/**
 * One run of the SSL monitor in this process: it fetches the domains, checks each over the network, and renews those
 * that are due. Every result is a row before the next begins, so a process that resumes the run repeats nothing.
 */
import type { CommandBus } from '@nestjs/cqrs';
import type { EventData } from '@quarterdeck/events';
import {
  noSslChecks,
  REMOVED,
  type SslCheck,
  type SslCounters,
  type SslFound,
  type SslPhase,
} from '@quarterdeck/projections';
import { recordCertificateLook, RecordServed } from '../domains';
import { followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { Pool } from '../platform/tokens';
import { StepFailed, type LocalIo, type Report, type RunContext } from '../runs';
import { counted, SslChecks, type SslSubject } from './ssl-checks';
import { lookAt, paced, type Served } from '../certificates';
import { patiently } from './ssl-patience';
import { SslRenewals, type RenewalDeps } from './ssl-renewals';
import { foundLines, sslWords } from './ssl-words';

type Settings = EventData<'SslMonitorConfigured'>;
type Done = Promise<{ report: Report }>;

interface Progress {
  done: number;
  total: number;
  what: 'domain' | 'renewal';
}

export interface SslDeps extends RenewalDeps {
  db: Pool;
  commands: CommandBus;
  settings(workspace: string): Promise<Settings>;
  subjects(workspace: string): Promise<SslSubject[]>;
  /** Names of the site besides its main one. */
  otherNames(domain: string): Promise<string[]>;
  tell(workspace: string, run: string, phase: SslPhase, counters: SslCounters): void;
}

/** Stands in for an HTTP status: our own database is not available. */
const UNAVAILABLE = 503;

const removed: SslFound = {
  label: 'unchecked',
  valid: false,
  code: REMOVED,
  reason: 'It was removed during the run.',
};

export class SslRun {
  private readonly checks: SslChecks;
  private counters = noSslChecks;
  /** Progress of the current step. */
  private progress: Progress = { done: 0, total: 0, what: 'domain' };

  constructor(
    private readonly deps: SslDeps,
    private readonly context: RunContext,
    private readonly io: LocalIo,
  ) {
    this.checks = new SslChecks(deps.db, context.run, io.meta.workspace);
  }

  fetch(): Done {
    return this.step(async () => {
      this.tell('fetching');
      this.say(sslWords.fetching());
      try {
        await this.checks.begin(await this.deps.subjects(this.workspace));
        this.counters = await this.checks.counters();
      } catch (error) {
        this.io.signal.throwIfAborted();
        const status = error instanceof DomainError ? error.code : UNAVAILABLE;
        this.say(sslWords.fetchFailed(status));
        throw new StepFailed('fetch', `Failed to fetch domains: ${status}`);
      }
      this.say(sslWords.found(this.counters.total));
    });
  }

  check(): Done {
    return this.step(async () => {
      const { signal } = this.io;
      const { checkPauseMs, concurrency, expiringDays } = await this.settings();
      await this.recount();
      this.tell('checking');
      if (this.counters.checked > 0) await this.tellAgain();
      const { checked: done, total } = this.counters;
      this.progress = { done, total, what: 'domain' };
      await paced(
        await patiently(signal, () => this.checks.unchecked()),
        { pauseMs: checkPauseMs, atOnce: concurrency, signal },
        async (check, turn) => {
          await turn();
          await this.checkOne(check, expiringDays);
        },
      );
      if (this.context.request.input['checkOnly'] === true) this.complete();
    });
  }

  renew(): Done {
    return this.step(async () => {
      const { signal } = this.io;
      const { renewPauseMs } = await this.settings();
      await this.recount();
      this.tell('renewing');
      const renewals = new SslRenewals(this.deps, this.context.run, this.io, (domain, renewal) =>
        patiently(signal, () => this.checks.renewal(domain, renewal)),
      );
      const open = await patiently(signal, () => this.checks.open());
      const begun = open.filter(({ renewal }) => renewal);
      this.progress = { done: 0, total: begun.length, what: 'renewal' };
      for (const check of begun) await this.settle(check, renewals.resume(check));
      signal.throwIfAborted();
      const undecided = open.filter(({ renewal }) => !renewal);
      const due = await patiently(signal, () => this.deps.plans.due(undecided, this.workspace, signal));
      this.progress = { done: 0, total: due.length, what: 'renewal' };
      let turns = 0;
      await paced(due, { pauseMs: renewPauseMs, atOnce: 1, signal }, async ({ check, plan }, turn) => {
        const waited = (): Promise<void> => {
          if (turns++ > 0 && renewPauseMs > 0) this.say(sslWords.waiting(renewPauseMs, 'the next renewal'));
          return turn();
        };
        await this.settle(check, renewals.perform(check, plan, waited));
      });
      this.complete();
    });
  }

  /** Logs the end and informs open consoles, whatever the outcome. */
  private async step(work: () => Promise<void>): Done {
    try {
      await work();
      return { report: report(this.counters) };
    } catch (error) {
      if (this.io.end.aborted) {
        const { done, total, what } = this.progress;
        this.say(sslWords.stopped(done, total, what));
        this.tell(isLate(this.io.end.reason) ? 'error' : 'stopped');
      } else if (!this.io.signal.aborted) this.tell('error');
      throw error;
    }
  }

  private async checkOne({ domain, serverName }: SslCheck, expiringDays: number): Promise<void> {
    const { signal } = this.io;
    this.say(sslWords.checking(serverName));
    const names = await patiently(signal, () => this.deps.otherNames(domain));
    const look = await lookAt(this.deps, serverName, expiringDays, signal, names);
    const there = await patiently(signal, () => this.record({ domain, serverName }, look.served));
    const found = there ? look.found : removed;
    const first = await patiently(signal, () => this.checks.found(domain, found));
    if (first) this.counters = counted(this.counters, { found });
    for (const line of foundLines(serverName, found)) this.say(line);
    this.progress.done += 1;
    this.tell('checking');
  }

  /** Records what a domain presents now in its stream. @returns false if the domain was removed meanwhile */
  private async record(
    { domain, serverName }: Pick<SslCheck, 'domain' | 'serverName'>,
    served: Served | undefined,
  ): Promise<boolean> {
    if (!served) return true;
    await recordCertificateLook(this.deps.db, { id: domain, workspace: this.io.meta.workspace });
    try {
      await this.deps.commands.execute(
        new RecordServed(domain, { serverName, served }, followUp(this.io.meta, this.context.run)),
      );
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'notFound') return false;
      throw error;
    }
  }

  private async settle({ domain }: SslCheck, renewing: Promise<SslCheck['renewal'] & object>): Promise<void> {
    const renewal = await renewing;
    await patiently(this.io.signal, () => this.checks.renewal(domain, renewal));
    this.counters = counted(this.counters, { renewal });
    this.progress.done += 1;
    this.tell('renewing');
  }

  /**
   * A killed process loses its last log lines, but not the rows behind them. So results without a line in the log are
   * logged now.
   */
  private async tellAgain(): Promise<void> {
    const { signal } = this.io;
    const text = await patiently(signal, () => this.deps.engine.output(this.context.run));
    if (!text.endsWith('\n')) this.io.print('\n');
    this.say(sslWords.takenUp(this.counters.checked, this.counters.total));
    const said = new Set(text.split('\n'));
    for (const { serverName, found } of await patiently(signal, () => this.checks.checked()))
      for (const line of found ? foundLines(serverName, found) : []) if (!said.has(line)) this.say(line);
  }

  private complete(): void {
    this.say(sslWords.complete(this.counters));
    this.tell('complete');
  }

  private async recount(): Promise<void> {
    this.counters = await patiently(this.io.signal, () => this.checks.counters());
  }

  private get workspace(): string {
    return this.io.meta.workspace;
  }

  private settings(): Promise<Settings> {
    return patiently(this.io.signal, () => this.deps.settings(this.workspace));
  }

  private say(line: string): void {
    this.io.print(`${line}\n`);
  }

  private tell(phase: SslPhase): void {
    this.deps.tell(this.workspace, this.context.run, phase, this.counters);
  }
}

/** A step that took too long has failed. A step that somebody ended has not. */
const isLate = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

const report = (counters: SslCounters): Report =>
  Object.fromEntries(Object.entries(counters).map(([name, count]) => [name, String(count)]));
