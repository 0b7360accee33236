import {
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
} from '@eventstore/db-client';
import { LogForbidden, StreamDeleted } from '../event-store';

/** The stream is not where the append expected it. */
export class Conflict extends Error {
  /** @param actual revision of the stream's last event, -1 when there is no such stream */
  constructor(readonly actual: number) {
    super(`the stream is at revision ${actual}`);
  }
}

/** The gRPC number. The client has no class for it. */
const UNAUTHENTICATED = 16;

const isForbidden = (error: unknown): boolean =>
  error instanceof AccessDeniedError || (error as { code?: unknown } | undefined)?.code === UNAUTHENTICATED;

/**
 * Converts faults that a retry cannot fix into our own errors. All other faults may be temporary and are retried.
 * @param stream undefined for reads of the whole log
 */
export const finalFault = (error: unknown, stream: string | undefined): Error | undefined => {
  if (isForbidden(error)) return new LogForbidden(error);
  if (error instanceof StreamDeletedError && stream !== undefined) return new StreamDeleted(stream, error);
  return error instanceof InvalidArgumentError ? error : undefined;
};

export const isTooLarge = (error: unknown): error is Error =>
  error instanceof MaxAppendSizeExceededError || error instanceof InvalidArgumentError;

/** Address of the leader, if the node named it. */
export const leaderNamed = (error: unknown): { address: string; port: number } | undefined =>
  error instanceof NotLeaderError ? error.leader : undefined;
