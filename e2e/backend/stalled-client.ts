/** A client that keeps its connection open without reading, beside others that read. */
import { randomUUID } from 'node:crypto';
import type { NewEvent } from '@quarterdeck/events';
import { Gateway } from '../../apps/backend/src/platform/live/gateway';
import { heldBytes } from '../../testing/held-memory';
import { PATIENCE_MS } from '../../testing/patience';
import { appendAtEnd } from '../../testing/log-events';
import type { Operator, RunningBackend } from '../../testing/backend';
import { connectSocket, type Listener } from '../../testing/socket';

/** Many events at once, as from a busy fleet. @returns the last position */
export const flood = async (
  backend: RunningBackend,
  count: number,
  { of: workspace, stream = `server-${randomUUID()}` }: { of: string; stream?: string },
): Promise<string> => {
  let position = '0';
  for (let from = 0; from < count; from += 1000) {
    const events = Array.from({ length: Math.min(1000, count - from) }, (): NewEvent => {
      const meta = {
        actor: 'system',
        workspace,
        correlationId: randomUUID(),
        causationId: randomUUID(),
        v: '1',
      };
      const data = { fingerprint: 'SHA256:flood' };
      return {
        type: 'ServerKeyDownloaded',
        data,
        meta: { ...meta, id: randomUUID(), at: new Date().toISOString() },
      };
    });
    ({ position } = await appendAtEnd(backend.resources.store, stream, events));
  }
  return position;
};

/** Number of events while the client reads nothing. */
export const STALLED_FOR = 5000;
/** Far fewer pushes at once than may wait for a client that reads. */
const AT_ONCE = 125;

interface Stalling {
  stalled: { drops: number; exact: boolean };
  healthy: { heard: number; inOrder: boolean }[];
  /** Connections that the back end dropped. */
  dropped: number;
  /** Memory growth of the process that contains the back end and all clients. */
  grownBy: number;
}

const droppedBy = async (who: Operator): Promise<number> => {
  const metrics = String((await who.get<string>('metrics')).body);
  return Number(/quarterdeck_dropped_sockets_total (\d+)/.exec(metrics)?.[1] ?? 0);
};

const isInOrder = ({ changes }: Listener): boolean =>
  changes.every(({ position }, i) => i === 0 || Number(position) > Number(changes[i - 1]?.position));

export const stallOneClient = async (
  backend: RunningBackend,
  who: Operator,
  { others = 1 } = {},
): Promise<Stalling> => {
  // The connection must not end by an unanswered ping, however long the flood takes.
  backend.app.get(Gateway, { strict: false })['server'].engine.opts.pingTimeout = PATIENCE_MS;
  const list = await who.post('server/list');
  const { body } = await who.get<{ instance: { uuid: string } }>('session');
  const of = body.instance.uuid;
  const upToDate = async (): Promise<Listener> => {
    const listener = await connectSocket(who);
    await listener.resume(list.headers.get('x-position') ?? '0');
    return listener;
  };
  const healthy = await Promise.all(Array.from({ length: others }, upToDate));
  const stalled = await upToDate();
  try {
    let drops = 0;
    stalled.socket.on('disconnect', () => drops++);
    const engine = stalled.socket.io.engine as unknown as {
      transport: { ws: { _socket: { pause(): void; resume(): void } } };
    };
    const wire = engine.transport.ws._socket;
    wire.pause();
    const [droppedBefore, memory] = [await droppedBy(who), heldBytes()];
    // The kernel buffers several MB before anything waits in our process. Long names fill that buffer with few messages.
    const stream = `server-${randomUUID()}${'x'.repeat(4000)}`;
    let to = '0';
    for (let sent = 0; sent < STALLED_FOR; sent += AT_ONCE) {
      to = await flood(backend, AT_ONCE, { of, stream });
      for (const listener of healthy) await listener.until(() => listener.changes.at(-1)?.position === to);
    }
    const heard = healthy.map((one) => ({ heard: one.changes.length, inOrder: isInOrder(one) }));
    const dropped = (await droppedBy(who)) - droppedBefore;
    const grownBy = heldBytes() - memory;
    wire.resume();
    await stalled.until(() => drops > 0 && stalled.socket.connected);
    const answer = await stalled.resume(stalled.changes.at(-1)?.position ?? '0');
    // Live pushes from here on show that it is back.
    const next = await flood(backend, 1, { of });
    await stalled.until(() => stalled.changes.at(-1)?.position === next);
    const whole = answer.resync ?? (stalled.changes.at(-2)?.position === to && isInOrder(stalled));
    return {
      stalled: { drops, exact: whole },
      healthy: heard,
      dropped,
      grownBy,
    };
  } finally {
    for (const listener of [...healthy, stalled]) listener.close();
  }
};
