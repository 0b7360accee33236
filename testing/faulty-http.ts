/** An HTTP proxy that does to a server's callers what busy servers and bad networks do. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface FaultyHttp {
  url: string;
  calls: number;
  /** How many calls were answered with 503, reset in the middle of a body, or held back. */
  refused: number;
  reset: number;
  stalled: number;
  stop(): Promise<void>;
}

const SLOW_DOWN = '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>';

/**
 * Refuses one of 20 calls and resets one of 50, both among the first ten, which the smallest upload in parts makes. Once, from the call with that number on, everything stands still.
 * @param stall for so many milliseconds, before the call of that number
 */
export const startFaultyHttp = async (
  to: string,
  stall: { before: number; ms: number },
): Promise<FaultyHttp> => {
  let until = 0;
  const serve = (asked: IncomingMessage, answer: ServerResponse): void => {
    faulty.calls += 1;
    asked.on('error', () => undefined);
    if (faulty.calls === stall.before) until = Date.now() + stall.ms;
    if (Date.now() < until) {
      faulty.stalled += 1;
      return;
    }
    if (faulty.calls % 20 === 10) {
      faulty.refused += 1;
      answer.writeHead(503, { connection: 'close' }).end(SLOW_DOWN);
      return;
    }
    const call = request(
      new URL(asked.url ?? '/', to),
      { method: asked.method ?? 'GET', headers: asked.headers, agent: false },
      (heard) => {
        answer.writeHead(heard.statusCode ?? 500, heard.rawHeaders);
        heard.pipe(answer);
      },
    );
    call.on('error', () => answer.destroy());
    answer.on('close', () => call.destroy());
    if (faulty.calls % 50 === 5) {
      faulty.reset += 1;
      asked.once('data', () => asked.socket.resetAndDestroy());
      asked.once('end', () => asked.socket.resetAndDestroy());
      asked.resume();
      if (asked.headers.expect) answer.writeContinue();
      return;
    }
    if (asked.headers.expect) {
      call.once('continue', () => {
        answer.writeContinue();
        asked.pipe(call);
      });
      call.flushHeaders();
    } else asked.pipe(call);
  };
  const server = createServer(serve);
  server.on('checkContinue', serve);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const faulty: FaultyHttp = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: 0,
    refused: 0,
    reset: 0,
    stalled: 0,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return faulty;
};
