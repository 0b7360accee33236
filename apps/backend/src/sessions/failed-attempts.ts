/** Slows down whoever guesses: so many failures a minute from one address, then refusals until the minute is over. */
import { LRUCache } from 'lru-cache';
import { DomainError } from '../platform/errors';

const ALLOWED = 10;
const WINDOW_MS = 60_000;

export class FailedAttempts {
  private readonly failures = new LRUCache<string, { count: number; since: number }>({
    max: 50_000,
    ttl: WINDOW_MS,
  });

  /** @throws DomainError when the address has failed too often. */
  check(address: string): void {
    const known = this.failures.get(address);
    if (!known || known.count < ALLOWED) return;
    const retryAfter = Math.max(1, (known.since + WINDOW_MS - Date.now()) / 1000);
    throw new DomainError('tooMany', 'too many failed attempts, please wait a moment', undefined, {
      retryAfter,
    });
  }

  failed(address: string): void {
    const known = this.failures.get(address);
    if (known) known.count += 1;
    else this.failures.set(address, { count: 1, since: Date.now() });
  }
}
