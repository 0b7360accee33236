/** What a socket has not taken yet, and how to be rid of one that takes nothing. The one place that looks inside engine.io. */
import type { Socket } from 'socket.io';

const MOST_PACKETS = 500;
const MOST_BYTES = 4 * 1024 * 1024;

interface Engine {
  writeBuffer: readonly { data?: unknown }[];
  transport: { socket?: { bufferedAmount?: number; terminate?: () => void } };
  close(discard?: boolean): void;
}

const engineOf = (socket: Socket): Engine => socket.conn as unknown as Engine;

const lengthOf = ({ data }: { data?: unknown }): number =>
  typeof data === 'string' ? data.length : Buffer.isBuffer(data) ? data.byteLength : 0;

/** Bytes that wait for the other side: with engine.io, and with the operating system. */
export const waitingBytes = (socket: Socket): number => {
  const { writeBuffer, transport } = engineOf(socket);
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const packet of writeBuffer) bytes += lengthOf(packet);
  return bytes;
};

export const isTooSlow = (socket: Socket): boolean =>
  engineOf(socket).writeBuffer.length > MOST_PACKETS || waitingBytes(socket) > MOST_BYTES;

/** Without the goodbye that it would not take either. */
export const drop = (socket: Socket): void => {
  const { transport } = engineOf(socket);
  engineOf(socket).close(true);
  transport.socket?.terminate?.();
};
