/** Rounds in one of all processes: the one that holds the lease. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LeasedWork } from '../platform/leases';
import type { Rounds } from './rounds';

/** How long to wait at shutdown for running looks. */
const PATIENCE_MS = 2000;

export abstract class RoundsByLease<D extends { id: string }, A> extends LeasedWork {
  private going: { rounds: Rounds<D, A>; endBeside?: (() => void) | undefined } | undefined;

  /** Nobody looks before they are started. */
  abstract newRounds(): Rounds<D, A>;

  /** Called with the rounds that have begun. @returns what ends it */
  protected onBegun?(rounds: Rounds<D, A>): () => void;

  protected begin(): void {
    const rounds = this.newRounds();
    this.going = { rounds, endBeside: this.onBegun?.(rounds) };
    rounds.start();
  }

  protected async cease(): Promise<void> {
    const { going } = this;
    this.going = undefined;
    if (!going) return;
    going.endBeside?.();
    await Promise.race([going.rounds.stop(), sleep(PATIENCE_MS, undefined, { ref: false })]);
  }
}
