/**
 * The process of a served API is killed while it and another one are asked, through the console and at ports of their
 * own. `npm run faults -- --n 100 served` kills it a hundred times. covers: API-02, API-04
 */
import { ServedApis } from '../../../apps/backend/src/served/served-apis';
import { pause } from '../../../testing/patience';
import { openServedShop, portOf, type ServedShop } from '../../served/served-shop';
import { fault, moment, within } from '../fault';

/** At each address. */
const CALLERS = 2;
/** Console and callers are in one process here, which is not to be what all wait for. */
const BETWEEN_MS = 20;
const BACK_MS = 1000;

interface AskedAddress {
  readonly url: string;
  /** Of the answers so far, and `lost` for a connection that ended without one. */
  readonly heard: (number | 'lost')[];
}
type Which = 'killed' | 'neighbour';

let served: ServedShop;
let isOver = false;
let asking: Promise<unknown>[] = [];
const instances = {} as Record<Which, string>;
const doors = {} as Record<Which, AskedAddress>;
const ports = {} as Record<Which, AskedAddress>;
const house = { heard: [] as (number | 'lost')[] };

let callers = 0;
/** Each request comes from another caller: one alone would meet its limit of requests a minute. */
const ask = async ({ url }: Pick<AskedAddress, 'url'>): Promise<number | 'lost'> => {
  callers += 1;
  const address = `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`;
  try {
    const answer = await fetch(url, { headers: { 'x-forwarded-for': address } });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 'lost';
  }
};
const pidOf = async (which: Which): Promise<number> => {
  const api = await served.world.backend.app.get(ServedApis, { strict: false }).of(instances[which]);
  return Number(api.pid);
};
const keepAsking = (place: AskedAddress): void => {
  const one = async (): Promise<void> => {
    while (!isOver) {
      place.heard.push(await ask(place));
      await pause(BETWEEN_MS);
    }
  };
  asking.push(...Array.from({ length: CALLERS }, one));
};

beforeAll(async () => {
  served = await openServedShop({ TRUSTED_PROXIES: 'loopback' });
  const { ask: call, added, endpointOf, product, world } = served;
  await served.shop.query(`insert into customer (name) select 'Ada' from generate_series(1, 25)`);
  for (const which of ['killed', 'neighbour'] as const) {
    const { uuid } = await call<{ uuid: string }>('product/backend/init', {
      productId: product,
      email: 'grace@example.org',
      github: 'grace',
      firstName: 'Grace',
      lastName: 'Hopper',
      instance: which,
      title: which,
      env: 1,
    });
    const port = await portOf();
    const changed = await served.change({ port, bindTo: '127.0.0.1' }, uuid);
    if (changed.status !== 200) throw new Error(JSON.stringify(changed.body));
    instances[which] = uuid;
    const { data } = endpointOf({
      method: 'GET',
      path: '/customers',
      blocks: [{ type: 'list', entity: 'Customer' }],
    });
    await added('product/backend/endpoint', { data, apiInfo: { id: uuid } });
    doors[which] = { url: `${world.backend.url}/api/instance/${uuid}/customers`, heard: [] };
    ports[which] = { url: `http://127.0.0.1:${port}/customers`, heard: [] };
  }
  await world.backend.caughtUp();
  for (const place of [...Object.values(doors), ...Object.values(ports)]) {
    await within(30_000, `an answer at ${place.url}`, async () => (await ask(place)) === 200);
    keepAsking(place);
  }
  asking.push(
    (async () => {
      while (!isOver) {
        const answer = await served.alice.get('session').catch(() => undefined);
        house.heard.push(answer?.status ?? 'lost');
        await pause(20);
      }
    })(),
  );
});
afterAll(async () => {
  isOver = true;
  await Promise.all(asking);
  asking = [];
  await served?.end();
});

fault({
  fault: 'kill -9 of the process of a served API under load',
  must: 'it is back within a second, the other API and the console answer all requests, and nobody hears a fault',
  trial: async (turn) => {
    await pause(moment(turn, 300));
    const [pid, neighbour] = [await pidOf('killed'), await pidOf('neighbour')];
    for (const { heard } of [...Object.values(doors), ...Object.values(ports), house]) heard.length = 0;
    process.kill(pid, 'SIGKILL');
    const back = await within(BACK_MS, 'an answer of both its addresses', async () => {
      const answers = await Promise.all([ask(doors.killed), ask(ports.killed)]);
      return answers.every((status) => status === 200) && (await pidOf('killed')) !== pid;
    });
    // Those that were on their way.
    await pause(100);
    expect(await pidOf('neighbour')).toBe(neighbour);
    for (const { heard } of [doors.neighbour, ports.neighbour, house]) {
      expect(heard.length).toBeGreaterThan(0);
      expect(heard.filter((status) => status !== 200)).toEqual([]);
    }
    // The console asks again what only reads.
    expect(doors.killed.heard.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(ports.killed.heard.filter((status) => status !== 200 && status !== 'lost')).toEqual([]);
    const refused = doors.killed.heard.filter((status) => status === 503).length;
    return `back after ${String(back).padStart(4)} ms, ${refused} of ${doors.killed.heard.length} refused at the door`;
  },
});
