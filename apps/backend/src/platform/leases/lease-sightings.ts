/**
 * How this process judges the leases of others: one that it did not see change for a while has expired. The while is
 * measured on the clock of `performance`, which nobody can set.
 */
import { LRUCache } from 'lru-cache';

export const LEASE_MS = 3600;
/**
 * How long to wait after a connection is gone: a process that only lost its connection renews its leases in this time.
 */
const DOUBT_MS = 900;
const REMEMBERED = 100_000;

export interface Sighting {
  name: string;
  /** Differs after each renewal and each takeover. */
  mark: string;
  /** Whether the connection that vouched for the lease is gone. */
  dead: boolean;
}

export class LeaseSightings {
  private readonly known = new LRUCache<string, { mark: string; since: number; deadSince?: number }>({
    max: REMEMBERED,
  });

  constructor(private readonly now = (): number => performance.now()) {}

  /** @param asked when the query began that found the lease. What it found may be as old as that. */
  isOver({ name, mark, dead }: Sighting, asked: number): boolean {
    const known = this.known.get(name);
    const same = known?.mark === mark ? known : undefined;
    const now = this.now();
    const since = same?.since ?? now;
    if (!dead) {
      this.known.set(name, { mark, since });
      return asked - since >= LEASE_MS;
    }
    const deadSince = same?.deadSince ?? now;
    this.known.set(name, { mark, since, deadSince });
    return asked - since >= LEASE_MS || asked - deadSince >= DOUBT_MS;
  }

  /** After a fault of the database: perhaps nobody could renew. */
  forget(): void {
    this.known.clear();
  }
}
