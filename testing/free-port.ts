import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the kernel's ports for outgoing connections, which could take the port of a server during its restart. */
const FIRST = 10_240;
const END = 32_768;

/** An otherwise unused address. A UDP socket on it reserves a port for this process without blocking any server. */
const CLAIMS = '127.255.255.253';

/** Finds a loopback port without a listener, and reserves it against other tests while this process lives. */
export const freePort = async (host = '127.0.0.1'): Promise<number> => {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const port = randomInt(FIRST, END);
    if ((await claim(port)) && (await isFree(host, port))) return port;
  }
  throw new Error(`no free port of ${host} from ${FIRST} to ${END - 1}`);
};

const claim = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: CLAIMS, exclusive: true }, () => resolve(true));
  });

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
