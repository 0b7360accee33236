import { toApiError, type ApiError } from '../../core/http';

/**
 * A conflict answers the thing as it is now in the shape of the call; the form that shows both versions needs it in its
 * own. What is no conflict stays as it is.
 */
export const conflictInForm = <T>(refused: unknown, inForm: (current: T) => object): ApiError => {
  const error = toApiError(refused);
  if (error.status !== 409 || typeof error.current !== 'object') return error;
  const { revision, ...current } = error.current as T & { revision: number };
  const { changedAt, changedBy } = current as { changedAt?: string; changedBy?: string };
  return { ...error, current: { ...inForm(current as T), revision, changedAt, changedBy } };
};
