/** Between the client's events and ours. Positions are commit positions; a prepare position never differs from it. */
import {
  START,
  type AllStreamResolvedEvent,
  type ReadPosition,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { Codec } from '../../codec';
import type { EventMeta, Position, RecordedEvent } from '../../envelope';

/** What of the server's own events starts with. */
export const SYSTEM = '$';

export const readPosition = (position: Position): ReadPosition =>
  position === '0' ? START : { commit: BigInt(position), prepare: BigInt(position) };

export const positionOf = ({ event, commitPosition }: ResolvedEvent | AllStreamResolvedEvent): Position =>
  String(commitPosition ?? event?.position?.commit ?? 0n);

/** `undefined` for what is not an application's event: a system event, or a link whose target is gone. */
export function recordedEvent(
  resolved: ResolvedEvent | AllStreamResolvedEvent,
  codec: Codec,
): RecordedEvent | undefined {
  const { event } = resolved;
  if (!event || event.type.startsWith(SYSTEM)) return undefined;
  return codec.decode({
    type: event.type,
    data: event.isJson ? event.data : null,
    meta: metaOf(event.id, event.created, event.metadata),
    stream: event.streamId,
    revision: Number(event.revision),
    position: positionOf(resolved),
    recordedAt: event.created.toISOString(),
  });
}

/** Events of other programs in the same database carry other metadata, or none. */
function metaOf(id: string, created: Date, metadata: unknown): EventMeta {
  const own = typeof metadata === 'object' && metadata !== null && 'workspace' in metadata;
  if (own) return metadata as EventMeta;
  const at = created.toISOString();
  return { id, at, actor: 'system', workspace: '-', correlationId: id, causationId: id, v: '1' };
}
