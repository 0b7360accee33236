// covers: SRV-14, SHELL-09
import { io, type Socket } from 'socket.io-client';
import { comparePositions } from '@quarterdeck/events';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../../testing/backend';
import { startBalancer, type Balancer } from '../../../testing/balancer';
import { operator } from '../../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../../testing/postgres';
import { pause } from '../../../testing/patience';
import { fault, within } from '../fault';

/** `npm test` restarts each of the two back ends once. */
const RESTARTS = process.env.FAULTS_REPORT ? 20 : 2;
const WRITERS = 20;
const SOCKETS = 50;

let postgres: TestPostgres;
let balancer: Balancer;
let backends: BackendProcess[];
let opened: readonly Follower[] = [];

const start = (port = 0): Promise<BackendProcess> =>
  spawnBackend({ databaseUrl: postgres.url, port, env: { DRAIN_SECONDS: '2' } });
const portOf = ({ url }: BackendProcess): number => Number(new URL(url).port);

beforeAll(async () => {
  postgres = await startTestPostgres({ own: true });
  backends = [await start(), await start()];
  balancer = await startBalancer(backends.map(portOf));
});
afterAll(async () => {
  for (const { socket } of opened) socket.off().disconnect();
  await balancer?.stop();
  for (const one of backends ?? []) await one.stop();
  await postgres?.stop();
});

interface Follower {
  socket: Socket;
  /** Streams of the changes, each as often as it arrived. */
  heard: string[];
  connects: number;
}

interface Frame {
  events?: { stream: string; position: string }[];
  position: string;
}

/** A socket that acts as the console does. */
const follow = ({ cookie, url }: Operator, from: string): Follower => {
  const socket = io(url, {
    transports: ['websocket'],
    extraHeaders: { cookie },
    forceNew: true,
    reconnectionDelay: 100,
  });
  const follower: Follower = { socket, heard: [], connects: 0 };
  let known = from;
  const take = ({ events = [], position }: Frame): void => {
    const fresh = events.filter((event) => comparePositions(event.position, known) > 0);
    follower.heard.push(...fresh.map(({ stream }) => stream));
    if (comparePositions(position, known) > 0) known = position;
  };
  const again = (): void => void (socket.active || setTimeout(() => socket.connect(), 100));
  socket.on('connect', () => {
    follower.connects += 1;
    socket.emit('resume', { after: known }, take);
  });
  socket.on('changes', take);
  socket.on('leaving', () => setTimeout(() => socket.disconnect().connect(), Math.random() * 500));
  socket.on('disconnect', again).on('connect_error', again);
  return follower;
};

fault({
  fault: `${RESTARTS} restarts of two back ends behind a load balancer, under ${WRITERS} writers and ${SOCKETS} sockets`,
  must: 'no call fails, each acknowledged change is there once, and each socket hears of it once',
  share: 0.1,
  trialMs: 1_200_000,
  trial: async () => {
    const who = operator(balancer.url, (await signIn(backends[0]!.url, backends[0]!.signInLink)).cookie);
    const from = (await who.post('script/list')).headers.get('x-position') ?? '0';
    const followers = Array.from({ length: SOCKETS }, () => follow(who, from));
    opened = followers;
    await within(20_000, 'every socket', () => followers.every(({ connects }) => connects > 0));
    const acknowledged: string[] = [];
    const failed: string[] = [];
    let going = true;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let nth = 0; going; nth += 1) {
        const name = `script ${writer} ${nth} ${Date.now()}`;
        const script = { name, body: 'df -h', changes: false, timeoutSeconds: 30 };
        const answer = await who
          .post<{ id: string }>('script/insert', script)
          .catch((error: unknown) => error);
        if (answer instanceof Error) failed.push(answer.message);
        else {
          const { status, body } = answer as { status: number; body: { id: string } };
          if (status === 200) acknowledged.push(body.id);
          else failed.push(`${status} ${JSON.stringify(body)}`);
        }
        await pause(100);
      }
    });
    const exits: (number | null)[] = [];
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const at = restart % backends.length;
      exits.push(await backends[at]!.stop());
      backends[at] = await start(portOf(backends[at]!));
      await within(10_000, 'its readiness', () => balancer.ready().length === backends.length);
    }
    going = false;
    await Promise.all(writers);
    expect(failed).toEqual([]);
    expect(exits).toEqual(exits.map(() => 0));
    const { body } = await who.post<{ id: string }[]>('script/list');
    const there = body.map(({ id }) => id).sort();
    expect(there.filter((id) => acknowledged.includes(id))).toEqual([...acknowledged].sort());
    const streams = acknowledged.map((id) => `script-${id}`).sort();
    const own = new Set(streams);
    const heardBy = ({ heard }: Follower) => heard.filter((stream) => own.has(stream)).sort();
    await within(20_000, 'every push', () => followers.every((one) => heardBy(one).length >= streams.length));
    for (const one of followers) expect(heardBy(one)).toEqual(streams);
    const moves = followers.reduce((sum, { connects }) => sum + connects - 1, 0);
    return `${acknowledged.length} changes, ${moves} moves of sockets`;
  },
});
