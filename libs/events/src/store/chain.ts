/**
 * The chain that makes the log tamper-evident: each event's hash covers the event and the hash before it. Both engines
 * compute it over the same bytes, and so does the SQL function `log.line` (decision 0010).
 */
import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../envelope';

/** What stands before the first event. */
export const GENESIS = '0'.repeat(64);

/** The bytes that are hashed, and the form in which the event stands in an export: one line of JSON, fixed order. */
export const chainLine = (event: RecordedEvent): string => {
  const { data, meta } = event.stored ?? event;
  return JSON.stringify({
    position: event.position,
    stream: event.stream,
    revision: event.revision,
    id: meta.id,
    type: event.type,
    recordedAt: event.recordedAt,
    data,
    meta,
  });
};

export const chainLink = (previous: string, line: string): string =>
  createHash('sha256').update(previous, 'hex').update(line, 'utf8').digest('hex');

export const chainHash = (previous: string, event: RecordedEvent): string =>
  chainLink(previous, chainLine(event));
