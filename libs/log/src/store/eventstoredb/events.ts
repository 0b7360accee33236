/**
 * Converts between the server's events and ours. Positions are commit positions. The prepare position is always the
 * same.
 */
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '../../envelope';
import type { KeptEvent } from '../engine';
import { parsedText } from '../json-text';
import { uuidText, type Filter } from './requests';

/** First character of the names that the server itself uses. */
const SYSTEM = '$';
const TICKS_PER_MS = 10_000n;

const textOf = (bytes: Uint8Array): string =>
  bytes.byteLength === 0 ? 'null' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

/** An event as the server returns it. */
export type Raw = streams.ReadResp.ReadEvent.RecordedEvent;

/** `undefined` if the answer is not an event: a confirmation, a checkpoint, a link whose target is gone. */
export const eventIn = (answer: streams.ReadResp): Raw | undefined => answer.getEvent()?.getEvent();

export const positionOf = (event: Raw): Position => event.getCommitPosition();
export const revisionOf = (event: Raw): number => Number(event.getStreamRevision());
export const idOf = (event: Raw): string => uuidText(event.getId());
export const streamOf = (event: Raw): string =>
  Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
export const typeOf = (event: Raw): string => event.getMetadataMap().get('type') ?? '';
const dataText = (event: Raw): string => textOf(event.getData_asU8());
const metaText = (event: Raw): string => textOf(event.getCustomMetadata_asU8());
export const dataOf = (event: Raw): unknown => parsedText(dataText(event));
export const metaOf = (event: Raw): unknown => parsedText(metaText(event));

/**
 * The end of a copied event's metadata: when the log first stored the event. The server's own instant is that of the
 * copy.
 */
const FIRST_TAKEN = /,?"recordedAt":"(\d{4}-\d\d-\d\dT[\d:.]+Z)"\}$/;
/** Metadata of events that were not copied never ends like this: its last key is the tag. */
const MAY_BE_COPIED = 'Z"}';

/** @throws if the metadata is not an object, which only other programs write */
export const withInstant = (meta: string, recordedAt: string): string => {
  if (!meta.startsWith('{') || !meta.endsWith('}')) throw new Error('its metadata is no object');
  const rest = meta.slice(0, -1);
  return `${rest}${rest.trim() === '{' ? '' : ','}"recordedAt":"${recordedAt}"}`;
};

/** @returns the original metadata, and the instant if the event was copied */
const withoutInstant = (meta: string): { meta: string; recordedAt?: string } => {
  const [ending, recordedAt] = (meta.endsWith(MAY_BE_COPIED) && FIRST_TAKEN.exec(meta)) || [];
  if (ending === undefined || recordedAt === undefined) return { meta };
  return { meta: `${meta.slice(0, -ending.length)}}`, recordedAt };
};

export const isCopied = (event: Raw): boolean => withoutInstant(metaText(event)).recordedAt !== undefined;

/**
 * Decides which events of the log are ours. A prefix of the stream names separates our streams from those of other
 * programs and of other installations on the same cluster. Without a prefix, every application's event counts as ours.
 */
export class Names {
  constructor(readonly prefix: string) {}

  get filter(): Filter {
    return this.prefix === ''
      ? { on: 'type', regex: `^[^${SYSTEM}].*` }
      : { on: 'stream', prefixes: [this.prefix] };
  }

  inLog(stream: string): string {
    return this.prefix + stream;
  }

  outside(stream: string): string {
    return stream.slice(this.prefix.length);
  }

  holds(stream: string): boolean {
    return stream.startsWith(this.prefix) && !stream.startsWith(SYSTEM);
  }

  owns(event: Raw): boolean {
    return !typeOf(event).startsWith(SYSTEM) && this.holds(streamOf(event));
  }

  /** `undefined` for system events and for events of other prefixes. */
  kept(event: Raw): KeptEvent | undefined {
    if (!this.owns(event)) return undefined;
    const attributes = event.getMetadataMap();
    const created = Number(BigInt(attributes.get('created') ?? 0) / TICKS_PER_MS);
    const json = attributes.get('content-type') === 'application/json';
    return {
      id: idOf(event),
      type: typeOf(event),
      data: json ? dataText(event) : 'null',
      recordedAt: new Date(created).toISOString(),
      ...withoutInstant(metaText(event)),
      stream: this.outside(streamOf(event)),
      revision: revisionOf(event),
      position: positionOf(event),
    };
  }
}
