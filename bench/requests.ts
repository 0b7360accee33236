/**
 * Saved requests to a bare server that answers with 2 kB of JSON, one after the other. First what is sent and read, with
 * its address judged and its phases measured; then the whole, requested over HTTP, recorded as a run with its answer,
 * until its end is pushed. Floor of both: a bare call of Node's own HTTP client, over a new connection as well.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Outbound } from '../apps/backend/src/platform/outbound';
import { sendRequest } from '../apps/backend/src/requests/send-request';
import { operator } from '../testing/operator';
import { connectSocket } from '../testing/socket';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, compare, finish, turnsOf, type Line } from './harness';

const CALLS = amountOf(200);
const RUNS = amountOf(50);
const TURNS = turnsOf(5);
const BODY = JSON.stringify({ items: Array.from({ length: 60 }, (_, id) => ({ id, name: `item ${id}` })) });

const serve = (): void => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(BODY);
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
};

const startServer = async () => {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'server'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url: line.replace('ready ', ''), stop: () => child.kill() };
};

const bareCall = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (part: Buffer) => (bytes += part.length));
      response.on('end', () => resolve(bytes));
    })
      .on('error', reject)
      .end();
  });

/** @returns milliseconds for one of them */
const each = async (count: number, call: () => Promise<number>): Promise<number> => {
  const began = performance.now();
  for (let at = 0; at < count; at += 1) {
    const bytes = await call();
    if (bytes !== BODY.length) throw new Error(`${bytes} bytes came instead of ${BODY.length}`);
  }
  return (performance.now() - began) / count;
};

/** What the step of a run sends and reads, without the run. */
const sender = (url: string) => {
  const outbound = new Outbound(['127.0.0.1']);
  const late = new AbortController().signal;
  const own = new Set<string>();
  const sending = { outbound, follow: false, own, secretBody: false, repeatable: true, late, signal: late };
  return async () =>
    (await sendRequest({ method: 'GET', url: new URL(url), headers: [] }, sending)).body.length;
};

/** A console with a saved request to this address. @returns how to send it once */
const consoleWith = async (databaseUrl: string, url: string) => {
  const backend = await spawnConsole(databaseUrl, { OUTBOUND_ALLOW: '127.0.0.1' });
  const code = new URL(backend.signInLink).searchParams.get('code') ?? '';
  const who = await operator(backend.url).signIn(code);
  const ask = async <T>(path: string, body: object): Promise<T> => {
    const answer = await who.post<T>(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const data = { name: 'Items', host: url, url: '/' };
  const { id } = await ask<{ id: string }>('request/insert', { data });
  const socket = await connectSocket(who);
  await socket.resume((await who.get('session')).headers.get('x-position') ?? '0');
  const send = async (): Promise<number> => {
    const { runId } = await ask<{ runId: string }>('request/execute', { id });
    const isEnd = ({ stream, type }: { stream: string; type: string }) =>
      stream === `run-${runId}` && (type === 'RunSucceeded' || type === 'RunFailed');
    await socket.until(() => socket.changes.some(isEnd));
    const { size } = await ask<{ size: number }>('request/logs/detail', { id: runId });
    return size;
  };
  const stop = async (): Promise<void> => {
    socket.close();
    await backend.stop();
  };
  return { send, stop };
};

const main = async (): Promise<void> => {
  const lines: Line[] = [];
  const server = await startServer();
  const floor = { name: 'bare call', turn: () => each(CALLS, () => bareCall(server.url)) };
  const send = sender(server.url);
  lines.push(
    await compare({
      what: 'a saved request, sent and read',
      unit: 'ms',
      target: { atMost: 2 },
      floor,
      ours: { name: 'Quarterdeck', turn: () => each(CALLS, send) },
      turns: TURNS,
    }),
  );
  await withDurablePostgres(async (databaseUrl) => {
    const house = await consoleWith(databaseUrl, server.url);
    try {
      lines.push(
        await compare({
          what: 'a saved request, as a recorded run',
          unit: 'ms',
          target: { atMost: 150 },
          floor,
          ours: { name: 'Quarterdeck', turn: () => each(RUNS, house.send) },
          turns: TURNS,
        }),
      );
    } finally {
      await house.stop();
      server.stop();
    }
  });
  finish(lines);
};

if (process.argv[2] === 'server') serve();
else {
  await main();
  // The sockets of both sides would keep the process alive.
  process.exit();
}
