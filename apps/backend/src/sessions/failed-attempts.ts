/** Slows down whoever guesses: so many failures a minute from one address, then refusals until the minute is over. */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../platform/errors';

const ALLOWED = 10;
const WINDOW_MS = 60_000;

@Injectable()
export class FailedAttempts {
  private readonly failures = new LRUCache<string, { count: number; since: number }>({
    max: 50_000,
    ttl: WINDOW_MS,
  });

  /** Work that counts as a failure of the address when it is refused. @throws DomainError when there were too many */
  async counting<T>(address: string, work: () => Promise<T>): Promise<T> {
    this.check(address);
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unauthenticated') this.failed(address);
      throw error;
    }
  }

  private check(address: string): void {
    const known = this.failures.get(address);
    if (!known || known.count < ALLOWED) return;
    const retryAfter = Math.max(1, (known.since + WINDOW_MS - Date.now()) / 1000);
    throw new DomainError('tooMany', 'too many failed attempts, please wait a moment', undefined, {
      retryAfter,
    });
  }

  private failed(address: string): void {
    const known = this.failures.get(address);
    if (known) known.count += 1;
    else this.failures.set(address, { count: 1, since: Date.now() });
  }
}
