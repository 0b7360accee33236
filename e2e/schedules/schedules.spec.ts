/** Schedules start runs at their times, with a clock that is given. covers: OPS-05 */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScheduleFiring, ScheduleState } from '@quarterdeck/contract';
import type { AlertView, RunView } from '@quarterdeck/projections';
import { ScheduleWork } from '../../apps/backend/src/schedules/schedule-work';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { startSshd, type Sshd } from '../../testing/sshd';
import { openWorld, registerAt, type World } from '../backend/world';

const HOUR = 3_600_000;

let world: World;
let sshd: Sshd;
let alice: Operator;
let lookers: ScheduleWork[];
let [server, folder] = ['', ''];

interface Ids {
  id: string;
}
const ask = async <T = Ids>(path: string, body: object = {}): Promise<T> => {
  const answer = await alice.post<T>(path, body);
  expect({ path, status: answer.status, body: answer.body }).toMatchObject({ path, status: 200 });
  return answer.body;
};

beforeAll(async () => {
  [world, sshd] = await Promise.all([openWorld(), startSshd()]);
  alice = await world.backend.signIn();
  const other = await world.another();
  lookers = [world.backend, other].map(({ app }) => app.get(ScheduleWork, { strict: false }));
  server = await registerAt(alice, sshd);
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-schedule-'));
  chmodSync(folder, 0o777);
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Both processes look at the same time. */
const look = async (at: number): Promise<void> => {
  await Promise.all(lookers.map((one) => one.look(new Date(at))));
  await world.backend.caughtUp();
};

/** Hours ahead, so that the console itself does not come to it. */
const ahead = (): Date => new Date(Math.ceil(Date.now() / HOUR) * HOUR + 5 * HOUR);
const daily = (at: Date): string => `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;

const script = async (body: string): Promise<string> =>
  (await ask('script/insert', { name: `S ${randomUUID()}`, body, changes: false, timeoutSeconds: 60 })).id;

const fields = (more: object) => ({
  name: `Schedule ${randomUUID()}`,
  isOn: true,
  does: 'script',
  server: { id: server },
  times: '0 6 * * *',
  ...more,
});
const added = async (more: object): Promise<string> =>
  (await ask('schedule/insert', { data: fields(more) })).id;
const firings = (id: string) => ask<ScheduleFiring[]>('schedule/firings', { id });
const stateOf = async (id: string): Promise<ScheduleState | undefined> =>
  (await ask<ScheduleState[]>('schedule/states')).find((one) => one.id === id);
const ended = async (id: string): Promise<RunView> => {
  await until(async () => (await ask<RunView>('run/detail', { id })).endedAt !== undefined);
  return ask<RunView>('run/detail', { id });
};
const alertsOf = async (id: string): Promise<AlertView[]> =>
  (await ask<AlertView[]>('alert/list')).filter(({ subject }) => subject.id === id);

describe('a schedule of a script', () => {
  it('runs it once at its time, with two back ends, with its arguments as they are', async () => {
    const file = join(folder, 'args');
    const hostile = `it's "$(touch ${folder}/bad)"`;
    const due = ahead();
    const id = await added({
      script: { id: await script(`printf '%s\\n' "$#" "$1" "$2" >> ${file}\n`) },
      arguments: `${hostile}\n--all`,
      times: daily(due),
    });
    expect(await stateOf(id)).toMatchObject({ is: 'on', next: due.toISOString() });
    await look(due.getTime() - 1000);
    expect(await firings(id)).toEqual([]);
    await look(due.getTime() + 1000);
    await look(due.getTime() + 2000);
    const [only, ...more] = await firings(id);
    expect(more).toEqual([]);
    expect(only).toMatchObject({ is: 'started', occurrence: due.toISOString() });
    expect(await ended(only?.id ?? '')).toMatchObject({
      state: 'succeeded',
      requestedBy: 'system',
      subject: { id: server },
    });
    expect(readFileSync(file, 'utf8')).toBe(`2\n${hostile}\n--all\n`);
    expect(existsSync(`${folder}/bad`)).toBe(false);
    expect(await stateOf(id)).toMatchObject({ is: 'on', last: { run: 'succeeded' } });
  });

  it.each([
    ['catch up', ['started', 'missed', 'started'], '5 occurrences'],
    ['skip', ['missed', 'started'], '6 occurrences'],
  ])('after a sleep of six hours "%s" gives %j', async (missed, expected, count) => {
    const due = ahead();
    const id = await added({ script: { id: await script('true\n') }, times: '0 * * * *', missed });
    const first = due.getTime();
    // What came between now and that hour, or that it was missed, is of no interest here.
    await look(first + 1000);
    const before = (await firings(id)).length;
    await ended((await firings(id)).find(({ is }) => is === 'started')?.id ?? '');
    await look(first + 6 * HOUR + 30 * 60_000);
    await look(first + 6 * HOUR + 31 * 60_000);
    const all = (await firings(id)).slice(0, expected.length);
    expect((await firings(id)).length - before).toBe(expected.length - 1);
    expect(new Set(all.map(({ is }) => is))).toEqual(new Set(expected));
    expect(all.find(({ is }) => is === 'missed')?.reason).toMatch(
      new RegExp(`^${count} from .* were missed$`),
    );
    await ask('schedule/delete', { id, name: (await ask<{ name: string }>('schedule/detail', { id })).name });
  });

  it.each(['skip', 'wait'])('while its last run is still going "%s" holds', async (overlap) => {
    const go = join(folder, `go-${overlap}`);
    const due = ahead();
    const body = `while [ ! -e ${go} ]; do sleep 0.05; done\n`;
    const id = await added({ script: { id: await script(body) }, times: '*/10 * * * *', overlap });
    await look(due.getTime() + 1000);
    const started = (await firings(id)).find(({ is }) => is === 'started');
    for (const minutes of [10, 20]) await look(due.getTime() + minutes * 60_000 + 1000);
    const byTime = async () =>
      (await firings(id))
        .filter(({ is }) => is !== 'missed')
        .sort((one, other) => (one.occurrence ?? '').localeCompare(other.occurrence ?? ''));
    expect((await byTime()).map(({ is }) => is)).toEqual([
      'started',
      overlap === 'skip' ? 'skipped' : 'waiting',
      'skipped',
    ]);
    expect((await byTime())[1]?.reason).toMatch(/^its run of .* was still going$/);
    writeFileSync(go, '');
    await ended(started?.id ?? '');
    await look(due.getTime() + 21 * 60_000);
    const [, second] = await byTime();
    expect(second?.is).toBe(overlap === 'skip' ? 'skipped' : 'started');
    if (overlap === 'wait') expect(await ended(second?.id ?? '')).toMatchObject({ state: 'succeeded' });
  });
});

it('its time has one run, although the process died before it recorded that', async () => {
  const file = join(folder, 'once');
  const due = ahead();
  const id = await added({ script: { id: await script(`echo ran >> ${file}\n`) }, times: daily(due) });
  await look(due.getTime() + 1000);
  const [first] = await firings(id);
  // As after a kill between the start of the run and the record of it: nothing is known but the log.
  await world.backend.db.query('delete from app.schedule_firings where trigger = $1', [id]);
  await look(due.getTime() + 2000);
  expect(await firings(id)).toMatchObject([{ id: first?.id, is: 'started' }]);
  await ended(first?.id ?? '');
  expect(readFileSync(file, 'utf8')).toBe('ran\n');
});

it('a fixed command and a saved request are runs, too', async () => {
  const due = ahead();
  const request = await ask('request/insert', {
    data: {
      name: `R ${randomUUID()}`,
      method: { id: 1 },
      host: `${world.backend.url}`,
      url: '/api/health/live',
      description: '',
      body: '',
      checks: '',
      sequence: 1,
    },
  });
  const ids = [
    await added({ does: 'command', command: { name: 'Memory usage' }, times: daily(due) }),
    await added({
      does: 'request',
      server: null,
      request: { id: request.id },
      sending: { env: 'dev' },
      times: daily(due),
    }),
  ];
  await look(due.getTime() + 1000);
  const runs = await Promise.all(
    ids.map(async (id) => {
      const [one] = await firings(id);
      return ended(one?.id ?? '');
    }),
  );
  expect(runs.map(({ kind }) => kind)).toEqual(['command', 'savedRequest']);
  expect(runs[0]).toMatchObject({ state: 'succeeded' });
});

it('a failed run is told until a later one succeeds, and so is what was missed', async () => {
  const ok = join(folder, 'ok');
  const due = ahead();
  const id = await added({ script: { id: await script(`test -e ${ok}\n`) }, times: daily(due) });
  await look(due.getTime() + 1000);
  const [first] = await firings(id);
  expect(await ended(first?.id ?? '')).toMatchObject({ state: 'failed' });
  await until(async () => (await alertsOf(id)).length > 0);
  expect(await alertsOf(id)).toMatchObject([
    { state: 'open', about: 'scheduleFailed', subject: { kind: 'schedule' } },
  ]);
  expect(await stateOf(id)).toMatchObject({ is: 'failing' });
  writeFileSync(ok, '');
  await look(due.getTime() + 72 * HOUR + 1000);
  expect(
    (await firings(id)).some(({ is, reason }) => is === 'missed' && reason?.startsWith('2 occurrences')),
  ).toBe(true);
  await until(async () => (await alertsOf(id)).every(({ state }) => state === 'resolved'));
  expect(await stateOf(id)).toMatchObject({ is: 'on' });
});

it('a schedule whose script was removed says so, and starts nothing', async () => {
  const due = ahead();
  const body = 'true\n';
  const target = await script(body);
  const id = await added({ script: { id: target }, times: daily(due) });
  const { name } = await ask<{ name: string }>('script/detail', { id: target });
  await ask('script/delete', { id: target, name });
  expect(await stateOf(id)).toMatchObject({ is: 'broken', reason: 'its script was removed' });
  await look(due.getTime() + 1000);
  expect(await firings(id)).toMatchObject([{ is: 'refused', reason: 'its script was removed' }]);
  expect(await alice.post('schedule/start', { id })).toMatchObject({ status: 422 });
});

it('is started by hand once for a run id, and not while its run is going', async () => {
  const go = join(folder, 'go-by-hand');
  const id = await added({
    isOn: false,
    script: { id: await script(`while [ ! -e ${go} ]; do sleep 0.05; done\n`) },
  });
  const runId = randomUUID();
  for (const _ of [1, 2]) expect(await ask('schedule/start', { id, runId })).toMatchObject({ runId });
  expect(await firings(id)).toMatchObject([{ id: runId, is: 'started', source: 'by hand' }]);
  expect(await alice.post('schedule/start', { id })).toMatchObject({ status: 409 });
  writeFileSync(go, '');
  expect(await ended(runId)).toMatchObject({ state: 'succeeded' });
  expect(await stateOf(id)).toMatchObject({ is: 'off' });
});

it('a new name leaves its times as they are; new times are those from then on', async () => {
  const due = ahead();
  const target = { id: await script('true\n') };
  const id = await added({ script: target, times: daily(due) });
  await look(due.getTime() - 1000);
  const { name: _, ...rest } = fields({ script: target, times: daily(due) });
  await ask('schedule/update', { id, data: { ...rest, name: `Renamed ${randomUUID()}` } });
  await look(due.getTime() + 1000);
  expect(await firings(id)).toHaveLength(1);
});

describe('times', () => {
  it('are explained in words, with the next five', async () => {
    const { words, next } = await ask<{ words: string; next: string[] }>('schedule/explain', {
      times: '30 2 * * 1-5',
      zone: 'Europe/Berlin',
    });
    expect(words).toBe('at 02:30, from Monday to Friday');
    expect(next).toHaveLength(5);
    expect(next).toEqual([...next].sort());
  });

  it.each([
    ['times', { times: '0 25 * * *' }, /the hour "25" at character 3/],
    ['times', { times: '0 0 31 2 *' }, /never comes/],
    ['zone', { zone: 'Europe/Atlantis' }, /a time zone such as/],
  ])(
    'with wrong %s are refused in the same words when typed and when saved',
    async (field, data, message) => {
      const wrong = { times: '0 6 * * *', zone: '', ...data };
      const refused = { status: 400, body: { data: { [field]: expect.stringMatching(message) } } };
      expect(await alice.post('schedule/explain', wrong)).toMatchObject(refused);
      const saved = await alice.post<{ data: Record<string, string> }>('schedule/insert', {
        data: fields({ script: { id: await script('true\n') }, ...wrong }),
      });
      expect(saved.status).toBe(400);
      // The schema knows the field inside of `data`.
      expect(saved.body.data[field] ?? saved.body.data[`data.${field}`]).toMatch(message);
    },
  );
});

it('one that waits when the schedule is switched off is left out', async () => {
  const go = join(folder, 'go-off');
  const due = ahead();
  const target = { id: await script(`while [ ! -e ${go} ]; do sleep 0.05; done\n`) };
  const data = fields({ script: target, times: '*/10 * * * *', overlap: 'wait' });
  const { id } = await ask('schedule/insert', { data });
  await look(due.getTime() + 1000);
  await look(due.getTime() + 10 * 60_000 + 1000);
  expect((await firings(id)).map(({ is }) => is)).toContain('waiting');
  await ask('schedule/update', { id, data: { ...data, isOn: false } });
  await look(due.getTime() + 11 * 60_000);
  const off = (await firings(id)).find(({ reason }) => reason === 'it was switched off');
  expect(off).toMatchObject({ is: 'skipped' });
  writeFileSync(go, '');
  await ended((await firings(id)).find(({ is }) => is === 'started')?.id ?? '');
});
