/**
 * A way to a database that only a server reaches, for a process that has no SSH: a Unix socket of the console. Each
 * connection to it is forwarded over the console's SSH connection to the server. The process gets no key, and cannot
 * reach anything else through the server.
 */
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';

/** More than a process opens. */
const MAX_CONNECTIONS = 20;

export interface Forwarding {
  /** With its connections. */
  close(): void;
}

export interface ForwardingParts {
  /** Ends within its own limit of time. */
  readonly open: () => Promise<Duplex>;
  /** Called with the first failure after a success. */
  readonly onFault: (error: unknown) => void;
}

/** @param path in a folder that only the console's account may enter */
export const openForwarding = async (
  path: string,
  { open, onFault }: ForwardingParts,
): Promise<Forwarding> => {
  const sockets = new Set<Socket>();
  let isAway = false;
  const join = async (socket: Socket): Promise<void> => {
    sockets.add(socket);
    // The pipeline below ends the forwarded stream then.
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    try {
      const stream = await open();
      isAway = false;
      // Neither side is read faster than the other takes it, and both end together.
      if (socket.destroyed) stream.destroy();
      else pipeline(socket, stream, socket, () => undefined);
    } catch (error) {
      socket.destroy();
      if (!isAway) onFault(error);
      isAway = true;
    }
  };
  const server = createServer((socket) => void join(socket));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
