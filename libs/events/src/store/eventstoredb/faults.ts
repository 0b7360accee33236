import {
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';

/** Errors that another try will not heal. All others are the line's or the server's, or nobody knows: worth a retry. */
const FINAL = [AccessDeniedError, InvalidArgumentError, MaxAppendSizeExceededError, StreamDeletedError];

export const isFinal = (error: unknown): error is Error => FINAL.some((type) => error instanceof type);

export const isTooLarge = (error: unknown): error is Error =>
  error instanceof MaxAppendSizeExceededError || error instanceof InvalidArgumentError;

export const isConflict = (error: unknown): error is WrongExpectedVersionError =>
  error instanceof WrongExpectedVersionError;
