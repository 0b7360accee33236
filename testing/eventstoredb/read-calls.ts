import { randomUUID } from 'node:crypto';
import type { ServerWritableStream } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventLog, StoredEvent } from './event-log';
import type { Faults } from './faults';
import { readEvent, streamDeleted, streamIdentifier, streamNameOf } from './messages';

type Options = streams.ReadReq.Options;
type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

/** The server reports a filtered subscription's progress after this many events, times the client's multiplier. */
const CHECKPOINT_WINDOW = 32;

/** @param settled rejects if the call requires the leader, and this node is not it */
export const read =
  (log: EventLog, faults: Faults, settled: (call: ReadCall) => void) =>
  async (call: ReadCall): Promise<void> => {
    const options = call.request.getOptions();
    if (!options) return;
    call.on('error', () => undefined);
    try {
      settled(call);
    } catch (error) {
      return void call.emit('error', error);
    }
    if (options.hasSubscription()) return subscribe(call, options, log, faults);
    const wanted = options.getStream();
    const name = streamNameOf(wanted?.getStreamIdentifier());
    const stream = wanted ? log.stream(name) : log.events;
    if (stream === 'deleted') return void call.emit('error', streamDeleted(name));
    if (stream) {
      // The call counts as open until the client has read everything.
      for (const event of page(options, stream, log)) {
        if (call.cancelled) return;
        await send(call, readEvent(event));
      }
    } else {
      const notFound = new streams.ReadResp.StreamNotFound();
      notFound.setStreamIdentifier(streamIdentifier(name));
      const response = new streams.ReadResp();
      response.setStreamNotFound(notFound);
      call.write(response);
    }
    call.end();
  };

/** Forwards, positions and revisions are inclusive. Backwards, a position is exclusive and a revision inclusive. */
function* page(options: Options, events: readonly StoredEvent[], log: EventLog): Generator<StoredEvent> {
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  const matches = filterOf(options);
  const step = backwards ? -1 : 1;
  let left = Number(options.getCount());
  for (let at = firstOf(options, events, log, backwards); left > 0; at += step) {
    const event = events[at];
    if (!event) return;
    if (!matches(event)) continue;
    left -= 1;
    yield event;
  }
}

function firstOf(
  options: Options,
  events: readonly StoredEvent[],
  log: EventLog,
  backwards: boolean,
): number {
  const from = startOf(options);
  if (from === undefined) return backwards ? events.length - 1 : 0;
  if (options.hasAll()) return log.after(from - 1) - (backwards ? 1 : 0);
  // A truncated stream begins with a revision above 0.
  const at = events.findIndex(({ revision }) => (backwards ? revision > from : revision >= from));
  if (at < 0) return backwards ? events.length - 1 : events.length;
  return backwards ? at - 1 : at;
}

/** Where to begin; `undefined` for the end that the direction starts from. */
function startOf(options: Options): number | undefined {
  const all = options.getAll();
  if (all) return all.hasPosition() ? Number(all.getPosition()?.getCommitPosition()) : undefined;
  const stream = options.getStream();
  return stream?.hasRevision() ? Number(stream.getRevision()) : undefined;
}

function filterOf(options: Options): (event: StoredEvent) => boolean {
  const filter = options.getFilter();
  const byStream = filter?.getStreamIdentifier();
  const expression = byStream ?? filter?.getEventType();
  if (!expression) return () => true;
  const prefixes = expression.getPrefixList();
  const regex = new RegExp(expression.getRegex());
  return (event) => {
    const text = byStream ? event.stream : event.type;
    return prefixes.length > 0 ? prefixes.some((prefix) => text.startsWith(prefix)) : regex.test(text);
  };
}

async function subscribe(call: ReadCall, options: Options, log: EventLog, faults: Faults): Promise<void> {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation();
  confirmed.setSubscriptionId(randomUUID());
  const confirmation = new streams.ReadResp();
  confirmation.setConfirmation(confirmed);
  call.write(confirmation);

  const matches = filterOf(options);
  const window = CHECKPOINT_WINDOW * Math.max(1, options.getFilter()?.getCheckpointintervalmultiplier() ?? 1);
  const after = startOf(options);
  let next = after === undefined ? 0 : log.after(after);
  if (options.getAll()?.hasEnd()) next = log.events.length;
  let wake = () => {};
  const forget = log.onAppended(() => wake());
  call.on('cancelled', () => wake());
  let live = false;
  for (let passed = 1; !call.cancelled;) {
    const event = log.events[next];
    if (!event) {
      if (!live) call.write(caughtUp());
      live = true;
      await new Promise<void>((resolve) => (wake = resolve));
      continue;
    }
    next += 1;
    if (matches(event)) {
      await send(call, readEvent(event));
      if (faults.duplicateEvery > 0 && next % faults.duplicateEvery === 0) await send(call, readEvent(event));
    }
    if (options.hasFilter() && passed++ % window === 0) call.write(checkpoint(event));
  }
  forget();
}

function caughtUp(): streams.ReadResp {
  const response = new streams.ReadResp();
  response.setCaughtUp(new streams.ReadResp.CaughtUp());
  return response;
}

function checkpoint({ position }: StoredEvent): streams.ReadResp {
  const reached = new streams.ReadResp.Checkpoint();
  reached.setCommitPosition(String(position));
  reached.setPreparePosition(String(position));
  const response = new streams.ReadResp();
  response.setCheckpoint(reached);
  return response;
}

/** Waits for a client that reads more slowly than we write. */
async function send(call: ReadCall, response: streams.ReadResp): Promise<void> {
  if (call.write(response)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      call.off('drain', done);
      call.off('cancelled', done);
      resolve();
    };
    call.once('drain', done);
    call.once('cancelled', done);
  });
}
