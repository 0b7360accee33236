/** Converts between protocol messages and events of the log. */
import { randomUUID } from 'node:crypto';
import cluster from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, status as codes, type ServiceError } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import type { AppendOutcome, Expected, ProposedEvent, StoredEvent } from './event-log';

type Refusal = Extract<AppendOutcome, { ok: false }>;
type Refused = Partial<ServiceError>;

const refused = (code: codes, details: string, trailers: Record<string, string> = {}): Refused => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details, metadata };
};

export const notLeader = (leader: { host: string; port: number } | undefined): Refused =>
  leader
    ? refused(codes.NOT_FOUND, 'Leader info available', {
        exception: 'not-leader',
        'leader-endpoint-host': leader.host,
        'leader-endpoint-port': String(leader.port),
      })
    : refused(codes.UNKNOWN, 'No leader info available in response');

export const streamDeleted = (stream: string): Refused =>
  refused(codes.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const wrongExpectedVersion = (stream: string): Refused =>
  refused(codes.FAILED_PRECONDITION, 'failed due to WrongExpectedVersion', {
    exception: 'wrong-expected-version',
    'stream-name': stream,
  });

export const accessDenied = (): Refused =>
  refused(codes.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

export const unauthenticated = (): Refused => refused(codes.UNAUTHENTICATED, 'Unauthenticated');

export const uuidText = (uuid: shared.UUID | undefined): string => {
  if (!uuid) return '';
  if (uuid.hasString()) return uuid.getString();
  const structured = uuid.getStructured();
  const hex = (bits: string | number | undefined) =>
    BigInt.asUintN(64, BigInt(bits ?? 0))
      .toString(16)
      .padStart(16, '0');
  const digits = hex(structured?.getMostSignificantBits()) + hex(structured?.getLeastSignificantBits());
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

export const uuidMessage = (text: string): shared.UUID => {
  const uuid = new shared.UUID();
  uuid.setString(text);
  return uuid;
};

export const streamNameOf = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

export const streamIdentifier = (name: string): shared.StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(name));
  return identifier;
};

export const proposedEvent = (
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage,
): ProposedEvent => ({
  id: uuidText(message.getId()),
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

export function expectedOf(
  options:
    | streams.AppendReq.Options
    | streams.BatchAppendReq.Options
    | streams.DeleteReq.Options
    | streams.TombstoneReq.Options,
): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return Number('getRevision' in options ? options.getRevision() : options.getStreamPosition());
}

export function readEvent(event: StoredEvent): streams.ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(uuidMessage(event.id));
  recorded.setStreamIdentifier(streamIdentifier(event.stream));
  recorded.setStreamRevision(String(event.revision));
  recorded.setCommitPosition(String(event.position));
  recorded.setPreparePosition(String(event.position));
  // Ticks of 100 ns.
  const created = String(BigInt(event.created) * 10_000n);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', created);
  recorded.setData(event.data);
  recorded.setCustomMetadata(event.metadata);
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(String(event.position));
  const response = new streams.ReadResp();
  response.setEvent(read);
  return response;
}

/** Without the case of a deleted stream, which the unary call answers with an error. */
export function appendResponse(
  expected: Expected,
  outcome: Exclude<AppendOutcome, { deleted: true }>,
): streams.AppendResp {
  const response = new streams.AppendResp();
  if (outcome.ok) {
    const position = new streams.AppendResp.Position();
    position.setCommitPosition(String(outcome.position));
    position.setPreparePosition(String(outcome.position));
    const success = new streams.AppendResp.Success();
    success.setCurrentRevision(String(outcome.revision));
    success.setPosition(position);
    response.setSuccess(success);
    return response;
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (outcome.actual >= 0) wrong.setCurrentRevision(String(outcome.actual));
  else wrong.setCurrentNoStream(new shared.Empty());
  if (typeof expected === 'number') wrong.setExpectedRevision(String(expected));
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedStreamExists(new shared.Empty());
  response.setWrongExpectedVersion(wrong);
  return response;
}

export function batchAppendResponse(
  correlation: string,
  stream: string,
  expected: Expected,
  outcome: AppendOutcome,
): streams.BatchAppendResp {
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(uuidMessage(correlation));
  response.setStreamIdentifier(streamIdentifier(stream));
  if (outcome.ok) {
    const position = new shared.AllStreamPosition();
    position.setCommitPosition(String(outcome.position));
    position.setPreparePosition(String(outcome.position));
    const success = new streams.BatchAppendResp.Success();
    success.setCurrentRevision(String(outcome.revision));
    success.setPosition(position);
    response.setSuccess(success);
  } else response.setError(refusalStatus(stream, expected, outcome));
  return response;
}

function refusalStatus(stream: string, expected: Expected, refusal: Refusal): status.Status {
  const [name, detail] =
    'deleted' in refusal
      ? (['StreamDeleted', deletion(stream)] as const)
      : (['WrongExpectedVersion', conflict(expected, refusal.actual)] as const);
  const details = new any.Any();
  details.pack(detail.serializeBinary(), `event_store.client.${name}`);
  const message = new status.Status();
  message.setMessage(name);
  message.setDetails(details);
  return message;
}

function deletion(stream: string): shared.StreamDeleted {
  const deleted = new shared.StreamDeleted();
  deleted.setStreamIdentifier(streamIdentifier(stream));
  return deleted;
}

function conflict(expected: Expected, actual: number): shared.WrongExpectedVersion {
  const wrong = new shared.WrongExpectedVersion();
  if (actual >= 0) wrong.setCurrentStreamRevision(String(actual));
  else wrong.setCurrentNoStream(new shared.Empty());
  if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected));
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedStreamExists(new shared.Empty());
  return wrong;
}

const STATES = { leader: 8, follower: 6, unknown: 2 } as const;

export interface Member {
  host: string;
  port: number;
  role: keyof typeof STATES;
  alive: boolean;
}

export function clusterInfo(members: readonly Member[]): cluster.ClusterInfo {
  const info = new cluster.ClusterInfo();
  info.setMembersList(
    members.map(({ host, port, role, alive }) => {
      const endpoint = new cluster.EndPoint();
      endpoint.setAddress(host);
      endpoint.setPort(port);
      const member = new cluster.MemberInfo();
      member.setInstanceId(uuidMessage(randomUUID()));
      member.setTimeStamp(String(BigInt(Date.now()) * 10_000n));
      member.setState(STATES[role]);
      member.setIsAlive(alive);
      member.setHttpEndPoint(endpoint);
      return member;
    }),
  );
  return info;
}
