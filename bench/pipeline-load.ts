/**
 * Callers that change something and wait until another browser's socket announces it; the same for ours and the floor.
 */
import { generateKeyPairSync } from 'node:crypto';
import { Agent, request } from 'node:http';
import { io, type Socket } from 'socket.io-client';
import type { BackendProcess } from '../testing/backend-process';
import { operator, type Operator } from '../testing/operator';
import { percentile } from './harness';

export interface Pipeline {
  url: string;
  path: string;
  headers: Record<string, string>;
  /** How the names of their streams begin. */
  noun: string;
  /** One entity per caller, so that callers do not wait for each other. */
  ids: string[];
  body(id: string, count: number): object;
  /** Called with the new socket; settles when the socket receives everything from then on. */
  subscribe(socket: Socket): Promise<void>;
}

export interface Sample {
  /** Milliseconds from the call to the message at the other browser's socket. */
  p50: number;
  p99: number;
  perSecond: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const post = (url: string, headers: Record<string, string>, body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        agent,
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let said = '';
        response.on('data', (chunk: Buffer) => (said += chunk.toString()));
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}: ${said}`)),
        );
      },
    );
    call.on('error', reject).end(body);
  });

/** Makes the values of each load unique: a server that already has them would not change, and push nothing. */
let changes = 0;

export class Load {
  private readonly waiting = new Map<string, () => void>();
  /** How many changes have been told until now. */
  done = 0;

  private constructor(
    private readonly pipeline: Pipeline,
    private readonly socket: Socket,
  ) {
    socket.on('changes', ({ events }: { events: { stream: string }[] }) => {
      for (const { stream } of events) this.waiting.get(stream)?.();
    });
  }

  static async on(pipeline: Pipeline): Promise<Load> {
    const socket = io(pipeline.url, {
      transports: ['websocket'],
      extraHeaders: pipeline.headers,
      forceNew: true,
    });
    await new Promise<void>(
      (resolve, reject) => void socket.once('connect', resolve).once('connect_error', reject),
    );
    await pipeline.subscribe(socket);
    return new Load(pipeline, socket);
  }

  /** Runs this many callers for a time, each waiting for its answer and for the message. */
  async run(callers: number, milliseconds: number): Promise<Sample> {
    const { url, path, headers, ids, body, noun } = this.pipeline;
    const latencies: number[] = [];
    const began = performance.now();
    await Promise.all(
      ids.slice(0, callers).map(async (id) => {
        while (performance.now() - began < milliseconds) {
          const sent = performance.now();
          const told = new Promise<void>((resolve) =>
            this.waiting.set(`${noun}-${id}`, () => {
              this.done += 1;
              latencies.push(performance.now() - sent);
              resolve();
            }),
          );
          await Promise.all([told, post(`${url}${path}`, headers, JSON.stringify(body(id, (changes += 1))))]);
        }
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    return {
      p50: percentile(latencies, 50),
      p99: percentile(latencies, 99),
      perSecond: latencies.length / seconds,
    };
  }

  close(): void {
    this.socket.disconnect();
  }
}

export const MAX_CALLERS = 50;

export const fields = (alias: string, count: number) => ({
  alias,
  host: '10.0.0.12',
  port: 22,
  username: 'root',
  root: `/srv/${count}`,
  path: '/root/volumes/static',
  nginxPath: '/root/volumes/nginx_config',
});

/** A signed-in operator and what the callers edit, one thing each. */
export interface Fleet {
  who: Operator;
  ids: string[];
}

export const operatorOf = ({
  url,
  signInLink,
}: Pick<BackendProcess, 'url' | 'signInLink'>): Promise<Operator> =>
  operator(url).signIn(new URL(signInLink).searchParams.get('code') ?? '');

const inserted = async (who: Operator, path: string, body: (at: number) => object): Promise<Fleet> => {
  const ids: string[] = [];
  for (let at = 0; at < MAX_CALLERS; at++) {
    const { status, body: answer } = await who.post(path, body(at));
    if (status !== 200) throw new Error(`insert answered ${status}: ${JSON.stringify(answer)}`);
    ids.push(String(answer.id));
  }
  return { who, ids };
};

export const newFleet = (who: Operator): Promise<Fleet> => {
  const privateKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  return inserted(who, 'server/insert', (at) => ({ ...fields(`server-${at}`, 0), privateKey }));
};

const product = (name: string, count: number) => ({ name, description: `Sold ${count} times` });

export const newProducts = (who: Operator): Promise<Fleet> =>
  inserted(who, 'product/insert', (at) => ({ data: product(`product-${at}`, 0) }));

const loadOn = (
  url: string,
  { who, ids }: Fleet,
  { noun, body }: Pick<Pipeline, 'noun' | 'body'>,
): Promise<Load> =>
  Load.on({
    url,
    path: `/api/${noun}/update`,
    headers: { cookie: who.cookie, 'x-requested-with': 'quarterdeck' },
    noun,
    ids,
    body,
    subscribe: async (socket) => void (await socket.emitWithAck('resume', { after: '0' })),
  });

/** @param url of any back end on the same database */
export const loadOnFleet = (url: string, fleet: Fleet): Promise<Load> =>
  loadOn(url, fleet, {
    noun: 'server',
    body: (id, count) => ({ id, data: fields(`server-${id}`, count) }),
  });

/** A plain noun of the kit. */
export const loadOnProducts = (url: string, products: Fleet): Promise<Load> =>
  loadOn(url, products, {
    noun: 'product',
    body: (id, count) => ({ id, data: product(`product-${products.ids.indexOf(id)}`, count) }),
  });
