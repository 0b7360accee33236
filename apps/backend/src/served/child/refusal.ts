/** Answers of a served API that are no success. All share one shape, and none has a stack or SQL. */
import { databaseRefusalOf, type ApiModel } from '@quarterdeck/api';

export class ApiRefusal extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 503,
    /** Shown to the caller. */
    message: string,
    readonly more: {
      /** What is wrong with a value and what would be right, by its place: `body.total`. */
      readonly fields?: Readonly<Record<string, string>>;
      /** Seconds. */
      readonly retryAfter?: number;
    } = {},
  ) {
    super(message);
  }
}

export const wrongField = (field: string, message: string): ApiRefusal =>
  new ApiRefusal(400, message, { fields: { [field]: message } });

export const busy = (message: string, retryAfter = 1): ApiRefusal =>
  new ApiRefusal(503, message, { retryAfter });

export const isLocked = (): ApiRefusal => new ApiRefusal(403, 'this account is locked');

/** @returns undefined if it is a fault of ours */
export const refusalOfDatabase = (error: unknown, model: ApiModel): ApiRefusal | undefined => {
  const refusal = databaseRefusalOf(error, model);
  return refusal && new ApiRefusal(refusal.status, refusal.message, refusal);
};
