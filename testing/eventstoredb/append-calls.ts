import type { sendUnaryData, ServerDuplexStream, ServerReadableStream, ServerUnaryCall } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendOutcome, EventLog, ProposedEvent } from './event-log';
import { pause, unavailable, type Faults } from './faults';
import {
  accessDenied,
  appendResponse,
  batchAppendResponse,
  expectedOf,
  proposedEvent,
  streamDeleted,
  streamNameOf,
  uuidText,
  wrongExpectedVersion,
} from './messages';

export interface AppendContext {
  log: EventLog;
  faults: Faults;
  /** Cuts every connection. */
  drop(): void;
  /** Settles when this node may write, which never happens without a quorum; rejects if another one is the leader. */
  mayWrite(call: WriteCall): Promise<void>;
}

type WriteCall = Pick<ServerUnaryCall<unknown, unknown>, 'metadata'>;

/** @returns undefined if the answer is lost */
async function write(
  context: AppendContext,
  call: WriteCall,
  work: (log: EventLog) => AppendOutcome,
): Promise<AppendOutcome | undefined> {
  const { log, faults, drop } = context;
  if (faults.refuse) throw unavailable();
  if (faults.forbid) throw accessDenied();
  await pause(faults.delayMs);
  await context.mayWrite(call);
  const outcome = work(log);
  if (faults.loseAnswers > 0) {
    faults.loseAnswers -= 1;
    drop();
    return undefined;
  }
  await pause(faults.acknowledgeLateMs);
  return outcome;
}

export const append =
  (context: AppendContext) =>
  (
    call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
    answer: sendUnaryData<streams.AppendResp>,
  ): void => {
    let options: streams.AppendReq.Options | undefined;
    const events: ProposedEvent[] = [];
    call.on('data', (message: streams.AppendReq) => {
      const proposed = message.getProposedMessage();
      if (proposed) events.push(proposedEvent(proposed));
      else options = message.getOptions();
    });
    call.on('end', async () => {
      if (!options) return;
      const expected = expectedOf(options);
      const stream = streamNameOf(options.getStreamIdentifier());
      try {
        const outcome = await write(context, call, (log) => log.append(stream, expected, events));
        if (outcome && 'deleted' in outcome) answer(streamDeleted(stream));
        else if (outcome) answer(null, appendResponse(expected, outcome));
      } catch (error) {
        answer(error as Error);
      }
    });
    call.on('error', () => undefined);
  };

interface Pending {
  options?: streams.BatchAppendReq.Options;
  events: ProposedEvent[];
}

/** One call carries the appends of all callers, distinguished by correlation ids. */
export const batchAppend =
  (context: AppendContext) =>
  (call: ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>): void => {
    const pending = new Map<string, Pending>();
    call.on('data', async (message: streams.BatchAppendReq) => {
      const correlation = uuidText(message.getCorrelationId());
      const batch: Pending = pending.get(correlation) ?? { events: [] };
      pending.set(correlation, batch);
      const options = message.getOptions();
      if (options) batch.options = options;
      for (const proposed of message.getProposedMessagesList()) batch.events.push(proposedEvent(proposed));
      if (!message.getIsFinal() || !batch.options) return;
      pending.delete(correlation);
      const stream = streamNameOf(batch.options.getStreamIdentifier());
      const expected = expectedOf(batch.options);
      try {
        const outcome = await write(context, call, (log) => log.append(stream, expected, batch.events));
        if (outcome && !call.cancelled)
          call.write(batchAppendResponse(correlation, stream, expected, outcome));
      } catch (error) {
        // Like the real server: an error ends the call, and every other append in flight on it.
        call.emit('error', error);
      }
    });
    call.on('end', () => call.end());
    call.on('error', () => undefined);
  };

type Deletion = ServerUnaryCall<
  streams.DeleteReq | streams.TombstoneReq,
  streams.DeleteResp | streams.TombstoneResp
>;

const remove =
  (context: AppendContext, hard: boolean) =>
  async (
    call: Deletion,
    answer: sendUnaryData<streams.DeleteResp | streams.TombstoneResp>,
  ): Promise<void> => {
    const options = call.request.getOptions();
    if (!options) return;
    const stream = streamNameOf(options.getStreamIdentifier());
    try {
      const outcome = await write(context, call, (log) => log.delete(stream, expectedOf(options), hard));
      if (!outcome) return;
      if (outcome.ok) answer(null, hard ? new streams.TombstoneResp() : new streams.DeleteResp());
      else answer('deleted' in outcome ? streamDeleted(stream) : wrongExpectedVersion(stream));
    } catch (error) {
      answer(error as Error);
    }
  };

export const softDelete = (context: AppendContext) => remove(context, false);
export const tombstone = (context: AppendContext) => remove(context, true);
