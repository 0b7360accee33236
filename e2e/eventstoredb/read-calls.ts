import { randomUUID } from 'node:crypto';
import type { ServerWritableStream } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventLog, StoredEvent } from './event-log';
import { unavailable, type Faults } from './faults';
import { readEvent, streamIdentifier, streamNameOf } from './messages';

type Options = streams.ReadReq.Options;
type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

/** The server checks a filtered subscription's progress after so many events, times the client's multiplier. */
const CHECKPOINT_WINDOW = 32;

export const read =
  (log: EventLog, faults: Faults) =>
  async (call: ReadCall): Promise<void> => {
    const options = call.request.getOptions();
    if (!options) return;
    if (faults.refuse) return void call.emit('error', unavailable());
    call.on('error', () => undefined);
    if (options.hasSubscription()) return subscribe(call, options, log, faults);
    const wanted = options.getStream();
    const name = streamNameOf(wanted?.getStreamIdentifier());
    if (wanted && log.stream(name).length === 0) {
      const notFound = new streams.ReadResp.StreamNotFound();
      notFound.setStreamIdentifier(streamIdentifier(name));
      const response = new streams.ReadResp();
      response.setStreamNotFound(notFound);
      call.write(response);
    } else {
      for (const event of page(options, wanted ? log.stream(name) : log.events)) {
        if (call.cancelled) return;
        await send(call, readEvent(event));
      }
    }
    call.end();
  };

/** Positions and revisions are inclusive forwards; backwards a position is exclusive, a revision inclusive. */
function page(options: Options, events: readonly StoredEvent[]): StoredEvent[] {
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  const from = startOf(options);
  const selected = events.filter((event) => {
    if (from === undefined) return true;
    if (options.hasAll()) return backwards ? event.position < from : event.position >= from;
    return backwards ? event.revision <= from : event.revision >= from;
  });
  if (backwards) selected.reverse();
  return selected.filter(filterOf(options)).slice(0, Number(options.getCount()));
}

/** Where to begin; `undefined` is the end that the direction comes from. */
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
  let next = after === undefined ? 0 : log.events.findIndex(({ position }) => position > after);
  if (next < 0) next = log.events.length;
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
