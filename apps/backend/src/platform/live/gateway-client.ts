/**
 * Measures how much data a socket has not taken yet, and drops sockets that take nothing. The only code that uses
 * internals of engine.io.
 */
import type { Socket } from 'socket.io';

const MAX_PACKETS = 500;
const MAX_BYTES = 4 * 1024 * 1024;

interface Engine {
  writeBuffer: readonly { data?: unknown }[];
  transport: { socket?: { bufferedAmount?: number; terminate?: () => void } };
  close(discard?: boolean): void;
}

const engineOf = (socket: Socket): Engine => socket.conn as unknown as Engine;

const lengthOf = ({ data }: { data?: unknown }): number =>
  typeof data === 'string' ? data.length : Buffer.isBuffer(data) ? data.byteLength : 0;

/** Bytes waiting for the other side, in engine.io and in the operating system. */
export const waitingBytes = (socket: Socket): number => {
  const { writeBuffer, transport } = engineOf(socket);
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const packet of writeBuffer) bytes += lengthOf(packet);
  return bytes;
};

export const isTooSlow = (socket: Socket): boolean =>
  engineOf(socket).writeBuffer.length > MAX_PACKETS || waitingBytes(socket) > MAX_BYTES;

/** Closes without a close message, which the socket would not take either. */
export const drop = (socket: Socket): void => {
  const { transport } = engineOf(socket);
  engineOf(socket).close(true);
  transport.socket?.terminate?.();
};
