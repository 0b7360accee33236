/** Rounds in one of all processes: the one that holds the lease. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Leases, ProcessLease } from '../platform/leases';
import type { Logger } from '../platform/tokens';
import type { Rounds } from './rounds';

/** How long to wait at shutdown for running looks. */
const PATIENCE_MS = 2000;

interface Leased<D extends { id: string }, A> {
  /** Never changes: processes of two versions have to agree on it. */
  name: string;
  newRounds(): Rounds<D, A>;
  /** Called with the rounds that have begun. @returns what ends it */
  onBegun?(rounds: Rounds<D, A>): () => void;
}

export class RoundsByLease<D extends { id: string }, A> {
  private readonly lease: ProcessLease;
  private going: { rounds: Rounds<D, A>; endBeside?: (() => void) | undefined } | undefined;

  constructor(
    leases: Leases,
    logger: Logger,
    private readonly leased: Leased<D, A>,
  ) {
    this.lease = new ProcessLease(leases, leased.name, {
      onTaken: () => this.begin(),
      onLost: () => void this.end(),
      onFault: (err) => logger.warn({ err }, `the lease ${leased.name}`),
    });
  }

  start(): void {
    this.lease.start();
  }

  async stop(): Promise<void> {
    await this.end();
    await this.lease.stop();
  }

  private begin(): void {
    const rounds = this.leased.newRounds();
    this.going = { rounds, endBeside: this.leased.onBegun?.(rounds) };
    rounds.start();
  }

  private async end(): Promise<void> {
    const { going } = this;
    this.going = undefined;
    if (!going) return;
    going.endBeside?.();
    await Promise.race([going.rounds.stop(), sleep(PATIENCE_MS, undefined, { ref: false })]);
  }
}
