/**
 * The call that carries the appends of all callers. The client's own version keeps all pending appends of the process
 * in one table. When one connection ends, it rejects the appends of every other connection, and throws an uncatchable
 * error as soon as their answers arrive.
 */
import { randomUUID } from 'node:crypto';
import {
  AccessDeniedError,
  convertToCommandError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  UnavailableError,
} from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type status from '@eventstore/db-client/generated/status_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent } from '../../codec';
import type { ExpectedRevision, Position } from '../../envelope';
import { Conflict } from './faults';
import { appendRequests, batchAppendRequests, uuidText } from './requests';

export interface Appended {
  revision: number;
  /** Some servers omit it for an append that they know already. */
  position: Position | undefined;
}

interface Waiting {
  stream: string;
  resolve: (appended: Appended) => void;
  reject: (error: unknown) => void;
}

type Append = [stream: string, events: readonly EncodedEvent[], expected: ExpectedRevision];

const NO_REVISION = -1;

export class AppendCall {
  readonly #waiting = new Map<string, Waiting>();
  readonly #call: ReturnType<StreamsClient['batchAppend']>;
  #ended: { error: unknown } | undefined;

  /** @param onHeard called whenever the server has answered anything */
  constructor(open: () => ReturnType<StreamsClient['batchAppend']>, onHeard: () => void) {
    this.#call = open();
    this.#call.on('data', (answer: streams.BatchAppendResp) => {
      onHeard();
      this.#answer(answer);
    });
    this.#call.on('error', (error: unknown) => this.end(convertToCommandError(error as Error)));
    this.#call.on('end', () => this.end(new Error('the server ended the call that carries appends')));
  }

  get open(): boolean {
    return this.#ended === undefined;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Rejects all callers. Nobody knows what the server has done with the pending appends. */
  end(error: unknown): void {
    if (this.#ended) return;
    this.#ended = { error };
    this.#call.cancel();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** @param ms how long to wait for an answer */
  append(append: Append, ms: number): Promise<Appended> {
    if (this.#ended) return Promise.reject(this.#ended.error as Error);
    const correlation = randomUUID();
    return new Promise<Appended>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(correlation);
        reject(new Error(`an append had no answer for ${ms} ms`));
      }, ms);
      this.#waiting.set(correlation, {
        stream: append[0],
        resolve: (appended) => {
          clearTimeout(timer);
          resolve(appended);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error as Error);
        },
      });
      for (const message of batchAppendRequests(correlation, ...append)) this.#call.write(message);
    });
  }

  #answer(answer: streams.BatchAppendResp): void {
    const correlation = uuidText(answer.getCorrelationId());
    const waiting = this.#waiting.get(correlation);
    // Too late: the caller has given up.
    if (!waiting) return;
    this.#waiting.delete(correlation);
    const error = answer.getError();
    if (error) return waiting.reject(errorOf(error, waiting.stream));
    const success = answer.getSuccess();
    waiting.resolve({
      revision: Number(success?.getCurrentRevision()),
      position: known(success?.getPosition()?.getCommitPosition()),
    });
  }
}

/** For a repeated append some servers report 0 or -1 (as an unsigned number). */
const known = (position: string | undefined): Position | undefined =>
  position === undefined || position === '0' || position.length >= '18446744073709551615'.length
    ? undefined
    : position;

/** Appends to servers that lack the batch call. */
export const appendAlone = (
  open: (
    answer: (error: Error | null, response: streams.AppendResp) => void,
  ) => ReturnType<StreamsClient['append']>,
  append: Append,
): Promise<Appended> =>
  new Promise((resolve, reject) => {
    const call = open((error, response) => {
      if (error) return reject(convertToCommandError(error) as Error);
      const wrong = response.getWrongExpectedVersion();
      if (wrong)
        return reject(
          new Conflict(wrong.hasCurrentRevision() ? Number(wrong.getCurrentRevision()) : NO_REVISION),
        );
      const success = response.getSuccess();
      resolve({
        revision: Number(success?.getCurrentRevision()),
        position: known(success?.getPosition()?.getCommitPosition()),
      });
    });
    call.on('error', () => undefined);
    for (const message of appendRequests(...append)) call.write(message);
    call.end();
  });

function errorOf(error: status.Status, stream: string): Error {
  const details = error.getDetails();
  const name = details?.getTypeName().replace('event_store.client.', '') ?? '';
  const unpacked = <T>(read: (bytes: Uint8Array) => T): T | null =>
    details?.unpack(read as never, `event_store.client.${name}`) as T | null;
  switch (name) {
    case 'WrongExpectedVersion': {
      const wrong = unpacked(shared.WrongExpectedVersion.deserializeBinary);
      const at = wrong?.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : NO_REVISION;
      return new Conflict(at);
    }
    case 'StreamDeleted':
      return StreamDeletedError.fromStreamName(stream);
    case 'AccessDenied':
      return new AccessDeniedError();
    case 'MaximumAppendSizeExceeded': {
      const most = unpacked(shared.MaximumAppendSizeExceeded.deserializeBinary);
      return MaxAppendSizeExceededError.fromMaxAppendSize(most?.getMaxappendsize() ?? 0);
    }
    default:
      return new UnavailableError(undefined, error.getMessage() || name);
  }
}
