/** Converts between our terms and the protocol messages in the client's package. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent } from '../../codec';
import type { ExpectedRevision, Position } from '../../envelope';

/** How many events the server searches before it reports its progress. */
const SEARCH_WINDOW = 512;
const CHECKPOINT_EVERY = 1;

/** Which events of `$all` to return. The server leaves out the others. */
export interface Filter {
  on: 'stream' | 'type';
  prefixes?: string[];
  regex?: string;
}

export interface ReadAll {
  /** Inclusive. Default: the first or last event of the server. */
  from?: Position | undefined;
  backwards?: boolean;
  count: number;
  filter?: Filter | undefined;
}

const identifier = (stream: string): shared.StreamIdentifier => {
  const message = new shared.StreamIdentifier();
  message.setStreamName(Buffer.from(stream));
  return message;
};

const request = (fill: (options: streams.ReadReq.Options) => void): streams.ReadReq => {
  const options = new streams.ReadReq.Options();
  const uuids = new streams.ReadReq.Options.UUIDOption();
  uuids.setString(new shared.Empty());
  options.setUuidOption(uuids);
  options.setResolveLinks(false);
  options.setNoFilter(new shared.Empty());
  fill(options);
  const message = new streams.ReadReq();
  message.setOptions(options);
  return message;
};

const allOptions = (from: Position | undefined, backwards: boolean): streams.ReadReq.Options.AllOptions => {
  const all = new streams.ReadReq.Options.AllOptions();
  if (from === undefined && backwards) all.setEnd(new shared.Empty());
  else if (from === undefined || from === '0') all.setStart(new shared.Empty());
  else {
    const position = new streams.ReadReq.Options.Position();
    position.setCommitPosition(from);
    position.setPreparePosition(from);
    all.setPosition(position);
  }
  return all;
};

const filterOptions = ({ on, prefixes, regex }: Filter): streams.ReadReq.Options.FilterOptions => {
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  if (prefixes) expression.setPrefixList(prefixes);
  if (regex !== undefined) expression.setRegex(regex);
  const filter = new streams.ReadReq.Options.FilterOptions();
  if (on === 'stream') filter.setStreamIdentifier(expression);
  else filter.setEventType(expression);
  filter.setMax(SEARCH_WINDOW);
  filter.setCheckpointintervalmultiplier(CHECKPOINT_EVERY);
  return filter;
};

export const readStreamRequest = (stream: string, from: number, count: number): streams.ReadReq =>
  request((options) => {
    const wanted = new streams.ReadReq.Options.StreamOptions();
    wanted.setStreamIdentifier(identifier(stream));
    wanted.setRevision(String(from));
    options.setStream(wanted);
    options.setReadDirection(streams.ReadReq.Options.ReadDirection.FORWARDS);
    options.setCount(String(count));
  });

export const readAllRequest = ({ from, backwards = false, count, filter }: ReadAll): streams.ReadReq =>
  request((options) => {
    const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;
    options.setAll(allOptions(from, backwards));
    options.setReadDirection(backwards ? BACKWARDS : FORWARDS);
    options.setCount(String(count));
    if (filter) options.setFilter(filterOptions(filter));
  });

/** @param after the first delivered event is the one after this position */
export const subscribeRequest = (after: Position, filter: Filter): streams.ReadReq =>
  request((options) => {
    options.setAll(allOptions(after, false));
    options.setReadDirection(streams.ReadReq.Options.ReadDirection.FORWARDS);
    options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
    options.setFilter(filterOptions(filter));
  });

/** The server takes messages of 4 MB. */
const MESSAGE_BYTES = 3 * 1024 * 1024;

function expect(
  options: streams.AppendReq.Options | streams.BatchAppendReq.Options,
  stream: string,
  expected: ExpectedRevision,
): void {
  options.setStreamIdentifier(identifier(stream));
  if (expected === 'no_stream') options.setNoStream(new shared.Empty());
  else if ('setRevision' in options) options.setRevision(String(expected));
  else options.setStreamPosition(String(expected));
}

type Proposed = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage;

/** Keeps the exact text, so that hashed or signed text is read back unchanged. */
function propose<M extends Proposed>(message: M, { id, type, data, meta }: EncodedEvent): M {
  message.setId(uuidMessage(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(Buffer.from(data));
  message.setCustomMetadata(Buffer.from(meta));
  return message;
}

const uuidMessage = (id: string): shared.UUID => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  return uuid;
};

/** For older servers, which lack the batch call for the appends of all callers. */
export function* appendRequests(
  stream: string,
  events: readonly EncodedEvent[],
  expected: ExpectedRevision,
): Generator<streams.AppendReq> {
  const options = new streams.AppendReq.Options();
  expect(options, stream, expected);
  const header = new streams.AppendReq();
  header.setOptions(options);
  yield header;
  for (const event of events) {
    const message = new streams.AppendReq();
    message.setProposedMessage(propose(new streams.AppendReq.ProposedMessage(), event));
    yield message;
  }
}

/** Sends no deadline: the server would compare it with its own clock. */
export function* batchAppendRequests(
  correlation: string,
  stream: string,
  events: readonly EncodedEvent[],
  expected: ExpectedRevision,
): Generator<streams.BatchAppendReq> {
  const options = new streams.BatchAppendReq.Options();
  expect(options, stream, expected);
  const started = (): streams.BatchAppendReq => {
    const message = new streams.BatchAppendReq();
    message.setCorrelationId(uuidMessage(correlation));
    return message;
  };
  let message = started();
  message.setOptions(options);
  let bytes = 0;
  for (const event of events) {
    const size = event.data.length + event.meta.length;
    if (bytes > 0 && bytes + size > MESSAGE_BYTES) {
      yield message;
      message = started();
      bytes = 0;
    }
    bytes += size;
    message.addProposedMessages(propose(new streams.BatchAppendReq.ProposedMessage(), event));
  }
  message.setIsFinal(true);
  yield message;
}

/** The server answers in the form of the request, or with two 64-bit numbers. */
export const uuidText = (uuid: shared.UUID | undefined): string => {
  if (!uuid?.hasStructured()) return uuid?.getString() ?? '';
  const structured = uuid.getStructured();
  const hex = (bits: string | undefined) =>
    BigInt.asUintN(64, BigInt(bits ?? 0))
      .toString(16)
      .padStart(16, '0');
  const digits = hex(structured?.getMostSignificantBits()) + hex(structured?.getLeastSignificantBits());
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
