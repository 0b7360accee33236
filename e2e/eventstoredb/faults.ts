import { status, type ServiceError } from '@grpc/grpc-js';

/** What the server can be told to do wrong; everything is off until it is told. */
export interface Faults {
  /** Every call is answered with UNAVAILABLE. */
  refuse: boolean;
  /** The user has lost the right to read and to write. */
  forbid: boolean;
  /** Appends wait so many milliseconds before they are written. */
  delayMs: number;
  /** The next so many appends are written, and the connection is lost before the answer. */
  loseAnswers: number;
  /** Appends are written at once and acknowledged so many milliseconds later. */
  acknowledgeLateMs: number;
  /** Every so-manieth event of a subscription is delivered twice. */
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
