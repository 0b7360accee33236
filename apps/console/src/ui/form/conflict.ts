import { toApiError, type ApiError } from '../../core/http';

/**
 * Converts the current version in a conflict from the shape of the call to the shape of the form, which shows both
 * versions. Other errors are returned unchanged.
 */
export const conflictInForm = <T>(refused: unknown, inForm: (current: T) => object): ApiError => {
  const error = toApiError(refused);
  if (error.status !== 409 || typeof error.current !== 'object') return error;
  const { revision, ...current } = error.current as T & { revision: number };
  const { changedAt, changedBy } = current as { changedAt?: string; changedBy?: string };
  return { ...error, current: { ...inForm(current as T), revision, changedAt, changedBy } };
};
