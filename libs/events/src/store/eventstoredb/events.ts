/** Between the client's events and ours. Positions are commit positions; a prepare position never differs from it. */
import {
  START,
  type AllStreamResolvedEvent,
  type ReadPosition,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { Position } from '../../envelope';
import type { KeptEvent } from '../engine';

/** What of the server's own events starts with. */
export const SYSTEM = '$';

export const readPosition = (position: Position): ReadPosition =>
  position === '0' ? START : { commit: BigInt(position), prepare: BigInt(position) };

export const positionOf = ({ event, commitPosition }: ResolvedEvent | AllStreamResolvedEvent): Position =>
  String(commitPosition ?? event?.position?.commit ?? 0n);

/**
 * `undefined` for what is not an application's event: a system event, or a link whose target is gone. The client parses
 * JSON; `JSON.stringify` gives back the text of ours, which it wrote.
 */
export function keptEvent(resolved: ResolvedEvent | AllStreamResolvedEvent): KeptEvent | undefined {
  const { event } = resolved;
  if (!event || event.type.startsWith(SYSTEM)) return undefined;
  return {
    id: event.id,
    type: event.type,
    data: JSON.stringify(event.isJson ? event.data : null),
    meta: JSON.stringify(event.metadata ?? null),
    stream: event.streamId,
    revision: Number(event.revision),
    position: positionOf(resolved),
    recordedAt: event.created.toISOString(),
  };
}
