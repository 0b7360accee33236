/**
 * Sends the largest body that each call accepts, alone, and measures the processor time of the main thread: while it
 * works, nobody else is served. Texts are made long in several ways, lists as long as they may be; the worst counts.
 */
import { generateKeyPairSync } from 'node:crypto';
import { contract } from '@quarterdeck/contract';
import { MAX_BODY_BYTES } from '../apps/backend/src/platform/http/json-bodies';
import { service as serviceNoun } from '@quarterdeck/events';
import { valuesOf } from '../e2e/backend/plain-nouns';
import { calls } from '../e2e/fuzz/calls';
import { mainThreadMs } from '../e2e/fuzz/growth';
import type { Json } from '../e2e/fuzz/hostile';
import { largestBodies } from '../e2e/fuzz/largest';
import { signIn } from '../e2e/peers/backend';
import type { Operator } from '../e2e/peers/operator';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { finish, state, type Line } from './harness';

const MOST_MS = 200;
/** Turns of a body that took more than this: its first one also compiles code. */
const AGAIN_MS = 50;
/** These end what the others need, or wait for something outside for long. */
const LEFT_OUT = /\/(delete|revoke|cancel|rebuild)$/;

const limits = new Map(
  contract.map(({ path, maxBodyBytes }) => [`/api/${path}`, maxBodyBytes ?? MAX_BODY_BYTES]),
);

type Ids = Readonly<Record<string, string>>;

const { privateKey } = generateKeyPairSync('ed25519');
const server = {
  ...{ alias: 'web', host: '127.0.0.1', port: 9, username: 'root', root: '/root' },
  ...{ path: '/srv', nginxPath: '/etc/nginx' },
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

/** One thing of each kind that bodies refer to, by the name of the field. */
const things = async (who: Operator): Promise<Ids> => {
  const insert = async (path: string, body: object): Promise<string> => {
    const { status, body: made } = await who.post<{ id: string }>(path, body);
    if (status !== 200) throw new Error(`${path} answered ${status} ${JSON.stringify(made)}`);
    return made.id;
  };
  const product = await insert('product/insert', { data: { name: 'Shop' } });
  const host = await insert('server/insert', server);
  const service = await insert('service/insert', {
    data: valuesOf(serviceNoun, 'Shop', (category) => (category === 'server' ? host : undefined)),
    product: { id: product },
  });
  const script = await insert('script/insert', {
    name: 'Space',
    body: 'df',
    changes: false,
    timeoutSeconds: 30,
  });
  return { product, service, serviceDeploy: service, deploy: service, server: host, script };
};

/** The body with ids of things that exist, so that its call is not refused before it works. */
const withIds = (body: Json, ids: Ids): object => {
  const walk = (value: Json, known?: string): Json => {
    if (Array.isArray(value)) return value.map((one) => walk(one));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        key === 'id' && known !== undefined && typeof one === 'string' ? known : walk(one, ids[key]),
      ]),
    );
  };
  return walk(body) as object;
};

/** The sample refers to itself by the first part of its path: `server/update` to a server. */
const ofItself = (path: string, body: object, ids: Ids): object => {
  const own = ids[path.split('/')[2] ?? ''];
  return own !== undefined && 'id' in body && /\/(update|replaceKey|detail|history)/.test(path)
    ? { ...body, id: own }
    : body;
};

const lines: Line[] = [];

await withDurablePostgres(async (url) => {
  const backend = await spawnConsole(url);
  const { pid } = backend;
  const who = await signIn(backend.url, backend.signInLink);
  const ids = await things(who);
  const spentBy = async (path: string, body: object): Promise<{ ms: number; status: number }> => {
    const before = mainThreadMs(pid);
    const { status } = await who.post(path, body);
    return { ms: mainThreadMs(pid) - before, status };
  };
  for (const [path, { schema, valid }] of Object.entries(calls)) {
    if (LEFT_OUT.test(path)) continue;
    const sample = ofItself(path, withIds(valid, ids), ids) as Json;
    let worst = { ms: 0, status: 0, bytes: 0 };
    for (const body of largestBodies(schema, sample, limits.get(path) ?? MAX_BODY_BYTES)) {
      let spent = await spentBy(path, body as object);
      if (spent.ms > AGAIN_MS) {
        const again = await spentBy(path, body as object);
        if (again.ms < spent.ms) spent = { ...spent, ms: again.ms };
      }
      if (spent.ms > worst.ms) worst = { ...spent, bytes: JSON.stringify(body).length };
    }
    const words = `${worst.ms.toFixed(0).padStart(5)} ms, ${worst.bytes.toLocaleString('en').padStart(9)} bytes, answered by ${worst.status}`;
    lines.push(state(path, worst.ms, { atMost: MOST_MS }, words));
  }
  await backend.stop();
});

finish(lines);
