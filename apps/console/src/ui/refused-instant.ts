import { AT } from '../core/as-of/as-of-state';
import type { ApiError } from '../core/http';
import { absoluteTime } from './RelativeTime';

/** Why the chosen instant cannot be shown, as a sentence in the reader's time; undefined for other errors. */
export const refusedInstant = (error: Pick<ApiError, 'data'>): string | undefined => {
  const words = error.data?.[AT];
  if (words === undefined) return undefined;
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return `${sentence.replace(/begins at (\S+Z)$/, (_, at: string) => `begins on ${absoluteTime(at)}`)}.`;
};
