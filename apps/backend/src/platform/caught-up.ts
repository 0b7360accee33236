/** For decisions that depend on up-to-date read models. */
import { DomainError } from './errors';
import type { EventStore, ProjectionRunner } from './tokens';

const PATIENCE_MS = 5000;

/**
 * Waits until the read models contain everything recorded before the call.
 * @throws DomainError `unavailable` with this message
 */
export async function caughtUp(store: EventStore, projections: ProjectionRunner, msg: string): Promise<void> {
  if (await projections.waitFor(await store.head(), PATIENCE_MS)) return;
  throw new DomainError('unavailable', msg, undefined, { retryAfter: 5 });
}
