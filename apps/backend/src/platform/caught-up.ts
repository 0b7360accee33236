/** For decisions that need what the read models say, and as of now. */
import { DomainError } from './errors';
import type { EventStore, ProjectionRunner } from './tokens';

const PATIENCE_MS = 5000;

/** Everything recorded before the call is in the read models. @throws DomainError `unavailable` with this message */
export async function caughtUp(store: EventStore, projections: ProjectionRunner, msg: string): Promise<void> {
  if (await projections.waitFor(await store.head(), PATIENCE_MS)) return;
  throw new DomainError('unavailable', msg, undefined, { retryAfter: 5 });
}
