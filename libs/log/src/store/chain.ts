/**
 * The chain makes the log tamper-evident: each event's hash covers the event and the hash before it. Both engines
 * compute it over the same bytes, and so does the SQL function `log.line` (decision 0010).
 */
import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../envelope';

/** The hash before the first event. */
export const GENESIS = '0'.repeat(64);

/** An event as the log stores it: `data` and `meta` are the exact JSON text. */
export interface RawEvent {
  position: string;
  stream: string;
  revision: number;
  id: string;
  type: string;
  recordedAt: string;
  data: string;
  meta: string;
}

/** The hashed bytes, which are also the event's line in an export: one line of JSON in a fixed order. */
export const rawLine = ({ position, stream, revision, id, type, recordedAt, data, meta }: RawEvent): string =>
  `{"position":"${position}","stream":${JSON.stringify(stream)},"revision":${revision},"id":"${id}",` +
  `"type":${JSON.stringify(type)},"recordedAt":"${recordedAt}","data":${data},"meta":${meta}}`;

/** The same line for an event that was read. `JSON.stringify` reproduces the text that it wrote. */
export const chainLine = (event: RecordedEvent): string => {
  const { type, data, meta } = event.stored ?? event;
  return rawLine({ ...event, id: meta.id, type, data: JSON.stringify(data), meta: JSON.stringify(meta) });
};

export const chainLink = (previous: string, line: string): string =>
  createHash('sha256').update(previous, 'hex').update(line, 'utf8').digest('hex');

export const chainHash = (previous: string, event: RecordedEvent): string =>
  chainLink(previous, chainLine(event));
