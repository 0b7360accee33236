/**
 * Rebuilds all read models from a million events made by the deciders, in the process that also answers readers. Floor:
 * the same readers on the same process just before. The slowest of a hundred calls counts, during the fold and during
 * the swap of the tables.
 */
import type { InstallationView, ReadModelsView } from '@quarterdeck/projections';
import type { Operator } from '../testing/operator';
import { spawnConsole } from './backend';
import { busySignIn, writeBusyLog } from './busy-workspace';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, memoryOf, percentile, state } from './harness';

const EVENTS = amountOf(1_000_000, 1 / 40);
const BEFORE_MS = 15_000;
const READERS = 4;
/** Pause of a reader between an answer and the next call. Without it, the readers would only share the process. */
const PAUSE_MS = 25;
const MAX = 2;
const PER_SECOND = 25_000;

/** The calls of the pages, one after the other. */
const calls = [
  ['server/list', {}],
  ['run/list', { limit: 50 }],
  ['history/list', { limit: 50 }],
  ['person/list', {}],
] as const;

const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

interface Call {
  at: number;
  ms: number;
  failed: boolean;
}

/** Readers that call until they are stopped; their calls are added to `met`. */
const readers = (who: Operator, met: Call[]): (() => Promise<void>) => {
  let going = true;
  const one = async (first: number): Promise<void> => {
    for (let n = first; going; n += 1) {
      const [path, body] = calls[n % calls.length] ?? calls[0];
      const at = performance.now();
      const { status } = await who.post(path, body);
      met.push({ at, ms: performance.now() - at, failed: status !== 200 });
      await rest(PAUSE_MS);
    }
  };
  const all = Promise.all(Array.from({ length: READERS }, (_, index) => one(index)));
  return async () => {
    going = false;
    await all;
  };
};

const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')} events/s`;

const p99 = (met: readonly Call[]): number =>
  percentile(
    met.map(({ ms }) => ms),
    99,
  );

await withDurablePostgres(async (databaseUrl) => {
  await writeBusyLog(databaseUrl, { events: EVENTS });
  const started = performance.now();
  const backend = await spawnConsole(databaseUrl);
  const who = await busySignIn(backend.url, databaseUrl);
  const look = async () => (await who.post<ReadModelsView>('superadmin/projections')).body;
  const settled = ({ projections, lag }: ReadModelsView) =>
    lag.ms === 0 && projections.every(({ state: is }) => is === 'live');
  while (!settled(await look())) await rest(100);
  const alone = EVENTS / ((performance.now() - started) / 1000);

  const before: Call[] = [];
  const stopFirst = readers(who, before);
  await rest(BEFORE_MS);
  await stopFirst();

  const during: Call[] = [];
  const stop = readers(who, during);
  const began = performance.now();
  await who.post('superadmin/projections/rebuild', { readModel: 'all' });
  let swapAt: number | undefined;
  for (let view = await look(); view.current; view = await look()) {
    if (view.progress?.phase === 'catchingUp') swapAt ??= performance.now();
    await rest(50);
  }
  const seconds = (performance.now() - began) / 1000;
  // By then, calls that began during the swap have been answered.
  await rest(1_000);
  await stop();
  const { events } = (await who.post<InstallationView>('superadmin/overview')).body;
  const memory = memoryOf(backend.pid);
  await backend.stop();

  const end = began + seconds * 1000;
  const around = during.filter(({ at }) => at > (swapAt ?? end) - 500 && at < end + 500);
  const failed = during.filter((call) => call.failed).length;
  const floor = p99(before);
  const ratio = (met: readonly Call[]) => p99(met) / floor;
  const words = (met: readonly Call[]) =>
    `${ratio(met).toFixed(2)} x, target <= ${MAX} x (p99 of ${met.length.toLocaleString('en')} calls ${p99(met).toFixed(1)} ms, before ${floor.toFixed(1)} ms)`;
  console.log(`for information: ${events[0]?.says}`);
  console.log(`for information: beside ${READERS} readers ${perSecond(EVENTS / seconds)}`);
  console.log(
    `for information: memory after it ${Math.round(memory.now)} MB, at most ${Math.round(memory.peak)} MB`,
  );
  finish([
    state(
      'all read models after an update',
      alone,
      { atLeast: PER_SECOND },
      `${perSecond(alone)}, target >= ${perSecond(PER_SECOND)}`,
    ),
    state('readers while the log is folded anew', ratio(during), { atMost: MAX }, words(during)),
    state('readers around the swap', ratio(around), { atMost: MAX }, words(around)),
    state(
      'readers that were refused',
      failed,
      { atMost: 0 },
      `${failed} of ${during.length.toLocaleString('en')}`,
    ),
  ]);
});
