/**
 * A small load balancer: it looks at the readiness of its back ends, sends each call to a ready one over connections that
 * it keeps, and passes sockets through. Like most of them it tries no call a second time.
 */
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface Balancer {
  url: string;
  /** Ports of the back ends that were ready at the last look. */
  ready(): number[];
  stop(): Promise<void>;
}

const LOOK_MS = 200;

export const startBalancer = async (ports: readonly number[]): Promise<Balancer> => {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<number>();
  const sockets = new Set<Socket>();
  let turn = 0;
  const next = (): number | undefined => [...ready][(turn += 1) % Math.max(ready.size, 1)];

  const look = async (port: number): Promise<void> => {
    const isReady = await fetch(`http://127.0.0.1:${port}/api/health/ready`, {
      headers: { connection: 'close' },
    }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) ready.add(port);
    else ready.delete(port);
  };
  const lookAtAll = (): Promise<unknown> => Promise.all(ports.map(look));

  const server = createServer((call, answer) => {
    const failed = (): void => {
      if (!answer.headersSent) answer.writeHead(502);
      answer.end();
    };
    const port = next();
    if (port === undefined) return failed();
    const { method, url: path, headers } = call;
    const passed = request({ host: '127.0.0.1', port, method, path, headers, agent }, (given) => {
      // Whether the back end keeps its connection is no business of the client.
      const { connection: _, ...others } = given.headers;
      answer.writeHead(given.statusCode ?? 502, others);
      given.pipe(answer);
    });
    passed.on('error', failed);
    call.pipe(passed);
  });
  server.on('upgrade', (call: IncomingMessage, client: Socket, head: Buffer) => {
    const port = next();
    if (port === undefined) return client.destroy();
    const back = connect(port, '127.0.0.1', () => {
      const lines = call.rawHeaders.flatMap((name, at, all) => (at % 2 ? [] : [`${name}: ${all[at + 1]}`]));
      back.write([`GET ${call.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      back.write(head);
      back.pipe(client).pipe(back);
    });
    for (const [one, other] of [
      [client, back],
      [back, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one) && other.destroy());
    }
  });
  await lookAtAll();
  const looking = setInterval(() => void lookAtAll(), LOOK_MS);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => [...ready],
    stop: async () => {
      clearInterval(looking);
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
