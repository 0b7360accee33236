// covers: SRV-14, SHELL-09, AUD-05
import { signIn, spawnBackend } from '../peers/backend';
import { startTestPostgres, type TestPostgres } from '../peers/postgres';
import { connectSocket } from '../backend/socket';
import { budget, fault, moment, pause, within } from './fault';
import { expectAll, expectProven, idsOf, signInTo, underWay, write } from './writing';

let postgres: TestPostgres;

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
      await expectProven({ databaseUrl });
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
      await expectProven({ databaseUrl: own.url });
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
      const [here, there] = [
        await signIn(first.url, first.signInLink),
        await signInTo(second, { databaseUrl }),
      ];
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
      await expectProven({ databaseUrl });
      return `took over after ${String(tookOver).padStart(4)} ms`;
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  },
});
