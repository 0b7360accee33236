/**
 * A call that is repeated after it took effect: its answer was lost, for instance because the process died. The code that
 * answers it need not know. It reads the read models and streams as they were before its own effect, so it does not
 * refuse what it did itself, and each command that was carried out answers what it answered then.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Instant } from '@quarterdeck/projections/runner';

/** The instant right before the first effect of the call; unset: the call is not repeated. */
export const beforeItsEffect = new AsyncLocalStorage<Instant>();

class NotRecorded extends Error {}
const onlyRecorded = new AsyncLocalStorage<true>();

/**
 * What a repeated call did already needs no claim: somebody else may hold the thing or the name by now, or a crash may
 * have left the claim of the first attempt.
 *
 * @returns what `work` answered then; undefined if the call is not repeated, or did not get that far: then `work` is tried
 * again, with its claims
 */
export const ifRecorded = async <T>(work: () => Promise<T>): Promise<{ done: T } | undefined> => {
  if (!beforeItsEffect.getStore()) return undefined;
  if (onlyRecorded.getStore()) return { done: await work() };
  try {
    return { done: await onlyRecorded.run(true, work) };
  } catch (error) {
    if (error instanceof NotRecorded) return undefined;
    throw error;
  }
};

/** Called before a command records something. */
export const refuseUnrecorded = (): void => {
  if (onlyRecorded.getStore()) throw new NotRecorded('it is not in the log yet');
};

/** Asks about the present, even in a repeated call: claims are about the present. */
export const atPresent = <T>(ask: () => T): T => beforeItsEffect.exit(ask);

const reads = /^\s*(?:select|with)\b/i;
const writes = /\b(?:insert|update|delete)\b/i;

/** Whether a query only reads, and reads read models. Everything else is about the present. */
export const isAboutReadModels = (text: string): boolean =>
  reads.test(text) && /\bread\.\w/.test(text) && !writes.test(text);
