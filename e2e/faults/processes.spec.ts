// covers: SRV-14, SHELL-09, AUD-05
import { randomUUID } from 'node:crypto';
import type { ServerView } from '@quarterdeck/projections';
import { runCommand, signIn, spawnBackend, type BackendProcess, type Operator } from '../peers/backend';
import { startTestPostgres, type TestPostgres } from '../peers/postgres';
import { connectSocket } from '../backend/socket';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import { budget, fault, moment, pause, within } from './fault';

let postgres: TestPostgres;
const key = idleKey();

/** What a caller was told: ids of servers whose insert was acknowledged. */
interface Writing {
  acknowledged: string[];
  refused: number[];
  stop(): Promise<void>;
}

const ask = async (who: Operator, path: string, body: unknown) =>
  who.post<never>(path, body).catch(() => ({ status: 0, body: {} as never }));

/** Callers that register servers as fast as they are answered. */
const write = (who: Operator, callers = 8): Writing => {
  const writing: Writing = { acknowledged: [], refused: [], stop: async () => undefined };
  let going = true;
  const all = Promise.all(
    Array.from({ length: callers }, async () => {
      while (going) {
        const { status, body } = await ask(who, 'server/insert', {
          ...fieldsOf(randomUUID(), nowhere),
          privateKey: key,
        });
        if (status === 200) writing.acknowledged.push((body as { id: string }).id);
        else {
          writing.refused.push(status);
          await pause(20);
        }
      }
    }),
  );
  writing.stop = async () => {
    going = false;
    await all;
  };
  return writing;
};

/** Something has been said to be there: on a busy machine the first answer takes longer than the whole trial elsewhere. */
const underWay = ({ acknowledged }: Writing): Promise<number> =>
  within(5_000, 'the first acknowledgement', () => acknowledged.length > 0);

const idsOf = async (who: Operator): Promise<Set<string>> =>
  new Set((await who.post<ServerView[]>('server/list')).body.map(({ id }) => id));

const expectAll = async (who: Operator, acknowledged: string[]): Promise<void> => {
  const there = await idsOf(who);
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
};

const expectProven = async (databaseUrl: string): Promise<void> => {
  for (const args of [
    ['projections', 'verify'],
    ['audit', 'verify'],
  ])
    expect(await runCommand(args, { databaseUrl })).toMatchObject({ code: 0 });
};

/** A fresh link also where the process that printed one is gone. */
const signInTo = async (backend: BackendProcess, databaseUrl: string): Promise<Operator> => {
  const { stdout } = await runCommand(['sign-in-link', '--workspace', 'main'], { databaseUrl });
  return signIn(backend.url, stdout.trim());
};

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

fault({
  fault: 'kill -9 of the back end between append and projection',
  must: 'nothing acknowledged is lost, ready again within 5 s, log and read models prove equal',
  trial: async (turn) => {
    const databaseUrl = await postgres.newDatabase();
    let backend = await spawnBackend({ databaseUrl });
    try {
      const who = await signIn(backend.url, backend.signInLink);
      const writing = write(who);
      await underWay(writing);
      await pause(moment(turn, 700));
      await backend.kill('SIGKILL');
      await writing.stop();
      const port = Number(new URL(backend.url).port);
      backend = await spawnBackend({ databaseUrl, port });
      expect(backend.startedInMs).toBeLessThan(budget(5_000));
      expect(writing.acknowledged.length).toBeGreaterThan(0);
      await within(5_000, 'catching up', async () => {
        const there = await idsOf(who);
        return writing.acknowledged.every((id) => there.has(id));
      });
      await expectProven(databaseUrl);
      return `ready after ${String(backend.startedInMs).padStart(4)} ms`;
    } finally {
      await backend.stop();
    }
  },
});

fault({
  fault: 'Postgres restarted at once under load',
  must: 'nothing acknowledged is lost or doubled, refusals are 503, caught up within 5 s',
  share: 0.5,
  trial: async (turn) => {
    const own = await startTestPostgres({ own: true });
    const backend = await spawnBackend({ databaseUrl: own.url });
    try {
      const who = await signIn(backend.url, backend.signInLink);
      const writing = write(who);
      await underWay(writing);
      await pause(moment(turn, 400));
      await own.restart('immediate');
      const back = await within(5_000, 'writing again', async () => {
        const before = writing.acknowledged.length;
        await pause(50);
        return writing.acknowledged.length > before;
      });
      await writing.stop();
      expect(writing.refused.filter((status) => status !== 503)).toEqual([]);
      await within(5_000, 'catching up', async () => {
        const there = await idsOf(who);
        return writing.acknowledged.every((id) => there.has(id));
      });
      expect((await fetch(`${backend.url}/api/health/live`)).status).toBe(200);
      await expectProven(own.url);
      return `written again after ${String(back).padStart(4)} ms`;
    } finally {
      await backend.stop();
      await own.stop();
    }
  },
});

fault({
  fault: 'two back ends on one database, the leading one killed',
  must: 'the other takes over within 5 s and pushes to its own sockets what both recorded, in order',
  trial: async (turn) => {
    const databaseUrl = await postgres.newDatabase();
    const first = await spawnBackend({ databaseUrl });
    const second = await spawnBackend({ databaseUrl });
    try {
      const [here, there] = [await signIn(first.url, first.signInLink), await signInTo(second, databaseUrl)];
      const from = (await there.post('server/list')).headers.get('x-position') ?? '0';
      const socket = await connectSocket(there);
      await socket.resume(from);
      const writing = [write(here, 4), write(there, 4)];
      await Promise.all(writing.map(underWay));
      await pause(moment(turn, 400));
      await first.kill('SIGKILL');
      const killed = Date.now();
      const mark = writing[1]?.acknowledged.length ?? 0;
      const pushed = (id: string | undefined) =>
        socket.changes.some(({ stream }) => stream === `server-${id}`);
      await within(5_000, 'a push of what was written after the kill', () =>
        pushed(writing[1]?.acknowledged[mark + 8]),
      );
      const tookOver = Date.now() - killed;
      for (const one of writing) await one.stop();
      const acknowledged = writing.flatMap((one) => one.acknowledged);
      await within(5_000, 'every push', () => acknowledged.every(pushed));
      const positions = socket.changes.map(({ position }) => Number(position));
      expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
      await expectAll(there, acknowledged);
      socket.close();
      await expectProven(databaseUrl);
      return `took over after ${String(tookOver).padStart(4)} ms`;
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  },
});
