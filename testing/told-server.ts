/** An HTTP server that answers as the test sets it, and records all requests. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  at: number;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answering = (response: ServerResponse, asked: ReceivedRequest) => void;

export interface ToldServer {
  url: string;
  /** All requests so far, oldest first. */
  asked: ReceivedRequest[];
  /** Sets how all further requests are answered. */
  answer(how: Answering): void;
  /** Resolves once `count` requests have come in. */
  came(count: number): Promise<void>;
  stop(): Promise<void>;
}

export const withStatus =
  (status: number, body = '', headers: Record<string, string> = {}): Answering =>
  (response) =>
    response.writeHead(status, headers).end(body);

export const withJson = (value: unknown): Answering =>
  withStatus(200, JSON.stringify(value), { 'content-type': 'application/json' });

/** Never answers, and keeps the connection open. */
export const withNothing: Answering = () => undefined;

/** Sends a body without end, as fast as the client reads. */
export const withoutEnd: Answering = (response) => {
  const part = Buffer.alloc(64 * 1024, 'x');
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', more);
  more();
};

export const startToldServer = async (): Promise<ToldServer> => {
  const asked: ReceivedRequest[] = [];
  let answer: Answering = withStatus(200);
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { at: Date.now(), method, path: url, headers, body: Buffer.concat(parts).toString() };
      asked.push(one);
      answer(response, one);
      for (const look of waiting) look();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const came = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (asked.length < count) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (how) => (answer = how),
    came,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
