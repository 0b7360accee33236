// covers: VER-02
import { randomUUID } from 'node:crypto';
import { driftOf, journal, structureAfter } from '@quarterdeck/data-model';
import { Applying, type SealedPlan } from '../../apps/backend/src/versions/applying';
import { openTarget, type Target, type TargetAddress } from '../../apps/backend/src/databases/target';
import { startServers, type Server } from '../data-model/addresses';
import { from, migrations, sealedFor, to } from '../data-model/plans';
import { pause } from '../../testing/patience';
import { fault, moment } from './fault';
import { readStructure } from '../data-model/read-structure';

let servers: Server[];
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => Promise.all((servers ?? []).map((server) => server.stop())));

const signal = new AbortController().signal;
const nothing = () => undefined;

/** As it is made before the run: afterwards the database has another structure. */
const planFor = async (address: TargetAddress): Promise<SealedPlan> => {
  const target = await openTarget(address);
  const plan = sealedFor(await readStructure(target));
  await target.end();
  return plan;
};

const apply = (
  address: TargetAddress,
  plan: SealedPlan,
  run: string,
  print: (line: string) => void = nothing,
  open = () => openTarget(address),
) => {
  const deps = {
    open,
    outageMs: 60_000,
    retryMs: 50,
    isOver: () => Promise.resolve(false),
    started: () => Promise.resolve(),
    refused: () => Promise.resolve(),
  };
  return new Applying(run, plan, deps, { print, signal }).perform();
};

/** An instant shortly after a statement began; each turn picks another statement. 0: the dry run. */
function instant(turn: number) {
  const place = moment(turn, migrations.length);
  let arrive: () => void = nothing;
  const arrived = new Promise<void>((done) => {
    arrive = done;
  });
  const print = (line: string) => {
    if (line.startsWith(place === 0 ? 'Dry run' : `${place}/`)) arrive();
  };
  return { place, print, come: () => arrived.then(() => pause(moment(turn * 3, 8))) };
}

async function judge(address: TargetAddress, run: string): Promise<void> {
  const target = await openTarget(address);
  expect(driftOf(to, await readStructure(target))).toEqual([]);
  const rows = await target.query(journal[target.dialect].ofRun, [run]);
  expect(rows.map(({ sequence, state }) => `${String(sequence)} ${String(state)}`)).toEqual(
    Array.from({ length: migrations.length + 1 }, (_, sequence) => `${sequence} done`),
  );
  await target.end();
}

async function disturbed(turn: number, disturb: (server: Server) => Promise<unknown>): Promise<string> {
  const { place, print, come } = instant(turn);
  for (const server of servers) {
    const [address, run] = [await server.fresh(), randomUUID()];
    const plan = await planFor(address);
    await Promise.all([apply(address, plan, run, print), come().then(() => disturb(server))]);
    await judge(address, run);
  }
  return `at statement ${place}`;
}

fault({
  fault: `all connections of a database closed during an apply of ${migrations.length} statements`,
  must: 'ends by itself on MariaDB and PostgreSQL, each statement once',
  trial: (turn) => disturbed(turn, (server) => server.disconnectAll()),
});

fault({
  fault: `a database killed during an apply of ${migrations.length} statements`,
  must: 'ends by itself on MariaDB and PostgreSQL, each statement once',
  trial: (turn) => disturbed(turn, (server) => server.crash()),
});

/** A killed back end as the database sees it: the connection disappears without notice, and nothing follows. */
function dying(address: TargetAddress) {
  let opened: Target | undefined;
  let isDead = false;
  const forEver = new Promise<never>(() => undefined);
  const open = async (): Promise<Target> => {
    if (isDead) return forEver;
    const target = await openTarget(address);
    opened = target;
    return {
      ...target,
      query: async (sql, values) => {
        if (isDead) return forEver;
        const rows = await target.query(sql, values).catch((error: unknown) => {
          if (isDead) return forEver;
          throw error;
        });
        return isDead ? forEver : rows;
      },
    };
  };
  const die = () => {
    isDead = true;
    opened?.destroy();
  };
  return { open, die };
}

fault({
  fault: `the back end killed during an apply of ${migrations.length} statements`,
  must: 'its successor goes on at the next statement, and repeats none',
  trial: async (turn) => {
    const { place, print, come } = instant(turn);
    for (const server of servers) {
      const [address, run] = [await server.fresh(), randomUUID()];
      const plan = await planFor(address);
      const { open, die } = dying(address);
      void apply(address, plan, run, print, open);
      await come();
      die();
      await apply(address, plan, run);
      await judge(address, run);
    }
    return `at statement ${place}`;
  },
});

test('the structure after each step is the one that the plan leads to', () => {
  const steps = migrations.map(({ step }) => step);
  expect(driftOf(to, structureAfter(from, steps))).toEqual([]);
});
