/**
 * A call that is repeated after it took effect: its answer was lost, for instance because the process died. The code that
 * answers it need not know. It reads the read models and streams as they were before its own effect, so it does not
 * refuse what it did itself, and each command that was carried out answers what it answered then.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Instant } from '@quarterdeck/projections/runner';

/** The instant right before the first effect of the call; unset: the call is not repeated. */
export const beforeItsEffect = new AsyncLocalStorage<Instant>();

const reads = /^\s*(?:select|with)\b/i;
const writes = /\b(?:insert|update|delete)\b/i;

/** Whether a query only reads, and reads read models. Everything else is about the present. */
export const isAboutReadModels = (text: string): boolean =>
  reads.test(text) && /\bread\.\w/.test(text) && !writes.test(text);
