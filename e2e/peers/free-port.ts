import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what the kernel gives to outgoing connections, which would take the port of a server that is being restarted. */
const FIRST = 10_240;
const END = 32_768;

/** An address of nothing else. A datagram socket there keeps a port for this process and is in no server's way. */
const CLAIMS = '127.255.255.253';

/** A port of the loopback interface that nobody listens at now, and that no other test gets while this process lives. */
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
