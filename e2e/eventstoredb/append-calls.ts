import type { sendUnaryData, ServerDuplexStream, ServerReadableStream } from '@grpc/grpc-js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendOutcome, EventLog, Expected, ProposedEvent } from './event-log';
import { pause, unavailable, type Faults } from './faults';
import {
  appendResponse,
  batchAppendResponse,
  expectedOf,
  proposedEvent,
  streamNameOf,
  uuidText,
} from './messages';

export interface AppendContext {
  log: EventLog;
  faults: Faults;
  /** Cuts every connection. */
  drop(): void;
}

/** @returns nothing when the answer is lost. */
async function write(
  { log, faults, drop }: AppendContext,
  stream: string,
  expected: Expected,
  events: ProposedEvent[],
): Promise<AppendOutcome | undefined> {
  await pause(faults.delayMs);
  const outcome = log.append(stream, expected, events);
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
    if (context.faults.refuse) return answer(unavailable());
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
      const outcome = await write(context, streamNameOf(options.getStreamIdentifier()), expected, events);
      if (outcome) answer(null, appendResponse(expected, outcome));
    });
    call.on('error', () => undefined);
  };

interface Pending {
  options?: streams.BatchAppendReq.Options;
  events: ProposedEvent[];
}

/** One call carries the appends of all callers, each told from the others by its correlation id. */
export const batchAppend =
  (context: AppendContext) =>
  (call: ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>): void => {
    const pending = new Map<string, Pending>();
    call.on('data', async (message: streams.BatchAppendReq) => {
      if (context.faults.refuse) return call.emit('error', unavailable());
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
      const outcome = await write(context, stream, expected, batch.events);
      if (outcome && !call.cancelled) call.write(batchAppendResponse(correlation, stream, expected, outcome));
    });
    call.on('end', () => call.end());
    call.on('error', () => undefined);
  };
