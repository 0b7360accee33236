import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  host: string;
  port: number;
  /** Number of open connections. */
  readonly connections: number;
  /** Number of all connections so far. */
  readonly accepted: number;
  /** Number of bytes that clients have sent. */
  readonly sent: number;
  /** Lets everything through, delayed by `delayMs` in each direction; ends a blackhole. */
  pass(delayMs?: number): void;
  /** Breaks all connections with a reset; new ones are let through. */
  cut(): void;
  /** Accepts connections but forwards nothing, like a firewall that drops packets. */
  blackhole(): void;
  stop(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
}

/** Starts a TCP proxy that can simulate network faults in front of a real server. @param host its loopback address */
export const startTcpProxy = async (
  to: { host: string; port: number },
  host = '127.0.0.1',
): Promise<TcpProxy> => {
  const pairs = new Set<Pair>();
  let delayMs = 0;
  let silent = false;
  let accepted = 0;
  let sent = 0;

  const forward = (from: Socket, into: Socket): void => {
    from.on('data', (bytes) => {
      const send = (): void => {
        if (!into.writable) return;
        // A slow reader slows the writer down, as on a real network.
        if (!into.write(bytes)) {
          from.pause();
          into.once('drain', () => silent || from.resume());
        }
      };
      if (delayMs > 0) setTimeout(send, delayMs);
      else send();
    });
    from.on('end', () => (delayMs > 0 ? setTimeout(() => into.end(), delayMs) : into.end()));
  };

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    accepted += 1;
    const pair = { client, server: connect({ ...to, allowHalfOpen: true, noDelay: true }) };
    pairs.add(pair);
    client.on('data', (bytes: Buffer) => {
      sent += bytes.length;
    });
    const drop = (): void => {
      if (!pairs.delete(pair)) return;
      client.destroy();
      pair.server.destroy();
    };
    for (const socket of [client, pair.server]) socket.on('error', drop).on('close', drop);
    forward(client, pair.server);
    forward(pair.server, client);
    if (silent) quiet(pair);
  });
  const quiet = (pair: Pair): void => {
    pair.client.pause();
    pair.server.pause();
  };
  await new Promise<void>((resolve) => server.listen(0, host, resolve));

  return {
    host,
    port: (server.address() as AddressInfo).port,
    get connections() {
      return pairs.size;
    },
    get accepted() {
      return accepted;
    },
    get sent() {
      return sent;
    },
    pass(newDelayMs = 0) {
      delayMs = newDelayMs;
      silent = false;
      for (const pair of pairs) {
        pair.client.resume();
        pair.server.resume();
      }
    },
    cut() {
      for (const { client, server: behind } of pairs) {
        client.resetAndDestroy();
        behind.resetAndDestroy();
      }
      pairs.clear();
    },
    blackhole() {
      silent = true;
      for (const pair of pairs) quiet(pair);
    },
    stop() {
      for (const { client, server: behind } of pairs) {
        client.destroy();
        behind.destroy();
      }
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
