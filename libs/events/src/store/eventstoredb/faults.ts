import {
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
} from '@eventstore/db-client';

/** The stream is not where the append expected it. */
export class Conflict extends Error {
  /** @param actual revision of the stream's last event, -1 when there is no such stream */
  constructor(readonly actual: number) {
    super(`the stream is at revision ${actual}`);
  }
}

/** Errors that another try will not heal. All others are the line's or the server's, or nobody knows: worth a retry. */
const FINAL = [AccessDeniedError, InvalidArgumentError, MaxAppendSizeExceededError, StreamDeletedError];

export const isFinal = (error: unknown): error is Error => FINAL.some((type) => error instanceof type);

export const isTooLarge = (error: unknown): error is Error =>
  error instanceof MaxAppendSizeExceededError || error instanceof InvalidArgumentError;

/** Where the leader is, when a node has said so. */
export const leaderNamed = (error: unknown): { address: string; port: number } | undefined =>
  error instanceof NotLeaderError ? error.leader : undefined;
