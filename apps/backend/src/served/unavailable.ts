/** What the calls of operators say while an API cannot answer. */
import { DomainError } from '../platform/errors';
import { NotServed } from './not-served';

/** @throws DomainError `unavailable` */
export const orUnavailable = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const [message, retryAfter] =
      error instanceof NotServed
        ? [error.message, error.retryAfter]
        : ['this API ended before it answered: try again', 1];
    throw new DomainError('unavailable', message, undefined, { retryAfter });
  }
};
