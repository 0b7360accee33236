import { status, type ServiceError } from '@grpc/grpc-js';

/** Faults that the server can imitate. All are off by default. */
export interface Faults {
  /** Every call is answered with UNAVAILABLE. */
  refuse: boolean;
  /** The user has lost the permission to read and to write. */
  forbid: boolean;
  /** Appends wait this many milliseconds before they are written. */
  delayMs: number;
  /** This many following appends are written, but the connection is lost before the answer. */
  loseAnswers: number;
  /** Appends are written at once but acknowledged this many milliseconds later. */
  acknowledgeLateMs: number;
  /** Every nth event of a subscription is delivered twice. */
  duplicateEvery: number;
}

export const noFaults = (): Faults => ({
  refuse: false,
  forbid: false,
  delayMs: 0,
  loseAnswers: 0,
  acknowledgeLateMs: 0,
  duplicateEvery: 0,
});

export const unavailable = (): Partial<ServiceError> => ({
  code: status.UNAVAILABLE,
  details: 'told to refuse',
});

export const pause = (ms: number): Promise<void> =>
  ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
