/**
 * What products read: the answer that they have already (304), and 5,000 texts in one language. Floor: a bare handler of
 * node's own HTTP server that sends the same bytes, in a process of its own like ours.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { operator } from '../testing/operator';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { callers, compare, finish, state, turnMsOf, turnsOf, type Line } from './harness';

const TEXTS = 5000;
const CALLERS = 32;
const TURN_MS = turnMsOf(3000, 1 / 6);
const TURNS = turnsOf(5, 2);

interface Sent {
  status: number;
  headers: Record<string, string>;
  /** In base64. */
  body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });

const get = (url: string, headers: Record<string, string>): Promise<Sent> =>
  new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks).toString('base64'),
        }),
      );
    })
      .on('error', reject)
      .end();
  });

/** Sends the same request over and over. */
const serveFloor = (answer: Sent): void => {
  const body = Buffer.from(answer.body, 'base64');
  const server = createServer((_, response) => {
    response.writeHead(answer.status, answer.headers).end(body);
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
};

const startFloor = async (answer: Sent) => {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'floor'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(answer));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url: line.replace('ready ', ''), stop: () => child.kill() };
};

const main = async (): Promise<void> => {
  const lines: Line[] = [];
  await withDurablePostgres(async (databaseUrl) => {
    const backend = await spawnConsole(databaseUrl, { PUBLIC_READS_PER_MINUTE: '100000000' });
    try {
      const who = await operator(backend.url).signIn(
        new URL(backend.signInLink).searchParams.get('code') ?? '',
      );
      const ask = async (path: string, body: object): Promise<Record<string, string>> => {
        const answer = await who.post<Record<string, string>>(path, body);
        if (answer.status !== 200)
          throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.body;
      };
      const { id } = await ask('product/insert', { data: { name: 'Shop' } });
      const product = { id };
      const { token } = await ask('public-token/issue', { product });
      const texts = Object.fromEntries(
        Array.from({ length: TEXTS }, (_, at) => [`page.${at}.title`, `What the title of page ${at} says`]),
      );
      const file = {
        product,
        isCms: false,
        name: 'en.json',
        content: Buffer.from(JSON.stringify(texts)).toString('base64'),
        language: 1,
      };
      const { seen } = await ask('i18n/import/preview', file);
      await ask('i18n/import', { ...file, seen });
      const url = `${backend.url}/api/public/i18n/${id}/en`;
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
      const isWhole = async (): Promise<boolean> => {
        const answer = await get(url, { authorization: `Bearer ${token}` });
        return (
          Object.keys(JSON.parse(Buffer.from(answer.body, 'base64').toString()) as object).length === TEXTS
        );
      };
      while (!(await isWhole()));
      const whole = await get(url, headers);
      const known = { ...headers, 'if-none-match': whole.headers['etag'] ?? '' };
      for (const [what, asked, answer, atLeast, wanted] of [
        ['nothing new (304)', known, { ...whole, status: 304, body: '' }, 0.25, 1000],
        [`${TEXTS} texts`, headers, whole, 0.25, 200],
      ] as const) {
        /** A refusal would be quicker than what is measured. */
        const right = async (from: string) => {
          const { status, body } = await get(from, asked);
          if (status !== answer.status || body !== answer.body) throw new Error(`${what}: ${status} ${body}`);
        };
        const floor = await startFloor(await get(url, asked));
        const rates: number[] = [];
        const ours = async () => {
          const rate = await callers(CALLERS, TURN_MS, () => right(url));
          rates.push(rate);
          return rate;
        };
        lines.push(
          await compare({
            what: `public read, ${what}`,
            unit: '/s',
            target: { atLeast },
            floor: {
              name: 'bare handler',
              turn: () => callers(CALLERS, TURN_MS, () => right(floor.url)),
            },
            ours: { name: 'Quarterdeck', turn: ours },
            turns: TURNS,
          }),
        );
        const best = Math.max(...rates);
        lines.push(
          state(
            `public read, ${what}, a second`,
            best,
            { atLeast: wanted },
            `${Math.round(best)} of ${wanted}`,
          ),
        );
        floor.stop();
      }
    } finally {
      await backend.stop();
    }
  });
  finish(lines);
};

if (process.argv[2] === 'floor') {
  let told = '';
  for await (const chunk of process.stdin) told += String(chunk);
  serveFloor(JSON.parse(told) as Sent);
} else {
  await main();
  // The sockets of both sides would keep the process alive.
  process.exit();
}
