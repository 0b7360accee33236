/**
 * The SSL monitor with certificates that last ten seconds, and a real authority: renewed one after the other, in
 * one run that one failure does not stop, and only once even if the back end is killed in the middle.
 * covers: DOM-09, DOM-10, DOM-11
 */
import { randomUUID } from 'node:crypto';
import type { RunView, SslCheck } from '@quarterdeck/projections';
import { Pool } from 'pg';
import { acmeLacks, startAcme, type Acme } from '../../testing/acme';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { unpackLine } from '../../testing/debian-packages';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import { siteWork, startSitePlace, type SitePlace, type SiteWork } from '../webserver/site-ground';
import { pause, until } from '../../testing/patience';

const lacking = [...setupTestsLack(['certbot', 'curl', 'nginx']), ...acmeLacks()];
needs('this machine can bring up throw-away servers with certbot and an authority', lacking);

/** Each test waits for half of it. An expired certificate is renewed like one that is due. */
const VALIDITY_SECONDS = 10;
const PAUSE_MS = 1000;

if (lacking.length === 0) {
  let place: SitePlace;
  let acme: Acme;
  let postgres: TestPostgres;
  let db: Pool;
  let backend: BackendProcess;
  let alice: Operator;
  let work: SiteWork;
  const ids = new Map<string, string>();

  const start = async (): Promise<void> => {
    const env = {
      ...place.env,
      ACME_DIRECTORY_URL: 'https://localhost:14000/dir',
      LOG_LEVEL: 'error',
    };
    backend = await spawnBackend({ databaseUrl: postgres.url, env });
    alice = alice ? operator(backend.url, alice.cookie) : await signIn(backend.url, backend.signInLink);
  };

  beforeAll(async () => {
    [place, postgres] = await Promise.all([startSitePlace({ packages: true }), startTestPostgres()]);
    db = new Pool({ connectionString: postgres.url });
    await start();
    work = siteWork(() => alice, place);
    await place.inside('chmod 755 /root');
    acme = await startAcme(place.host, { validitySeconds: VALIDITY_SECONDS });
    await acme.trust();
    await place.inside(unpackLine('certbot'));
    const server = await work.register();
    expect((await work.run('server/init', { id: server })).run.state).toBe('succeeded');
    // In the order of the run: the first one will fail.
    for (const label of ['bad', 'one', 'two']) {
      const id = await work.domain(label, server);
      ids.set(label, id);
      const { run, out } = await work.run('nginx/certbot', { id });
      expect([run.state, run.state === 'succeeded' ? '' : out]).toEqual(['succeeded', '']);
      // Even if Pebble is to reuse no proof of an account, it does so for one order in a hundred. So the next name has
      // another account, which never proved the first one.
      if (label === 'bad') await place.inside('rm -r /etc/letsencrypt/accounts');
    }
    const settings = { checkPauseMs: 0, renewPauseMs: PAUSE_MS, concurrency: 4, expiringDays: 30 };
    await alice.post('workspace/ssl-monitor', settings);
  });
  afterAll(async () => {
    await backend?.kill('SIGKILL');
    await db?.end();
    await postgres?.stop();
    await place?.stop();
  });

  /** When half of its life is over. Pebble makes certificates a second shorter than requested. */
  const dueAt = async (label: string): Promise<number> => {
    const { notAfter = '' } = (await work.detail(ids.get(label) ?? '')).certificate ?? {};
    return Date.parse(notAfter) - (VALIDITY_SECONDS / 2 - 2) * 1000;
  };
  const allDue = async (): Promise<void> => {
    const last = Math.max(...(await Promise.all(['bad', 'one', 'two'].map(dueAt))));
    await pause(last - Date.now() + 1);
  };
  /** Number of certificates that certbot has obtained for a name since it was added. */
  const ordered = async (label: string): Promise<number> =>
    Number(await place.inside(`ls /etc/letsencrypt/archive/${label}.example.test/cert*.pem | wc -l`));
  const issued = async (label: string): Promise<number> =>
    (await work.detail(ids.get(label) ?? '')).issuances.length;
  /** Counts for both renewable names. */
  const counts = async (): Promise<number[]> =>
    Promise.all(['one', 'two'].flatMap((label) => [ordered(label), issued(label)]));
  const childrenOf = async (parent: string): Promise<RunView[]> => {
    const { rows } = await db.query<{ view: RunView }>(
      'select view from read.runs where parent = $1 order by "requestedPosition"',
      [parent],
    );
    return rows.map(({ view }) => view);
  };
  const renewalsOf = async (id: string): Promise<[string, string | undefined][]> => {
    const { body } = await alice.post<SslCheck[]>('ssl/checks', { id });
    return body.map(({ serverName, renewal }) => [serverName, renewal?.is]);
  };

  /** Holds all orders of a run but the first one, which fails by itself. */
  const holdAfterBad = async (parent: string): Promise<void> => {
    await until(async () => (await childrenOf(parent))[0]?.state === 'failed', 20);
    await acme.hold();
  };
  /** Waits until certbot works on the name. @returns the renewal's run */
  const ordering = async (parent: string, label: string): Promise<string> => {
    let found: RunView | undefined;
    await until(async () => {
      found = (await childrenOf(parent)).find(({ subject }) => subject.id === ids.get(label));
      const newest = found?.steps.at(-1);
      return newest?.step === 'certbot' && newest.state === 'running';
    });
    return found?.id ?? '';
  };

  test('two are renewed and one fails, in one run, with the pause between them', async () => {
    await acme.setAddress('bad.example.test', '10.9.9.9');
    await allDue();
    const runId = randomUUID();
    await alice.post('ssl/run', { runId });
    const { run, out } = await work.ended(runId);
    expect([run.state, await renewalsOf(runId)]).toEqual([
      'succeeded',
      [
        ['bad.example.test', 'failed'],
        ['one.example.test', 'renewed'],
        ['two.example.test', 'renewed'],
      ],
    ]);
    expect((await alice.post('ssl/status')).body).toMatchObject({
      run: runId,
      phase: 'complete',
      counters: { total: 3, checked: 3, expired: 3, renewed: 2, failed: 1 },
    });
    expect(out).toMatch(/^\[error\] Renewal failed with status: \w+$/m);
    expect(out).toMatch(/^\[success\] Renewed certificate for one\.example\.test, valid to /m);
    expect(out.trimEnd()).toMatch(
      /\[success\] Complete: 3 domains, 0 expiring, 3 expired, 0 unreachable, \d not valid, 2 renewed, 1 renewal failed$/,
    );

    const children = await childrenOf(runId);
    expect(children.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'renewCertificate failed',
      'renewCertificate succeeded',
      'renewCertificate succeeded',
    ]);
    for (const [at, child] of children.slice(1).entries()) {
      const pause = Date.parse(child.requestedAt) - Date.parse(children[at]?.endedAt ?? '');
      // Node timers may fire a millisecond early.
      expect(pause).toBeGreaterThanOrEqual(PAUSE_MS - 5);
    }
    for (const label of ['one', 'two']) expect([await ordered(label), await issued(label)]).toEqual([2, 2]);
    expect([await ordered('bad'), await issued('bad')]).toEqual([1, 1]);
  });

  test('cancelling a renewal leaves the others; cancelling the run ends the running renewal', async () => {
    await allDue();
    const runId = randomUUID();
    await alice.post('ssl/run', { runId });
    await holdAfterBad(runId);
    await alice.post('run/cancel', { id: await ordering(runId, 'one') });
    await ordering(runId, 'two');
    expect((await alice.post('run/cancel', { id: runId })).status).toBe(200);
    const { run, out } = await work.ended(runId);
    await acme.release();
    expect([run.state, await renewalsOf(runId)]).toEqual([
      'cancelled',
      [
        ['bad.example.test', 'failed'],
        ['one.example.test', 'skipped'],
        ['two.example.test', 'skipped'],
      ],
    ]);
    expect((await childrenOf(runId)).map(({ state }) => state)).toEqual(['failed', 'cancelled', 'cancelled']);
    expect(await place.inside('pgrep -f [c]ertbot || true')).toBe('');
    expect((await alice.post('ssl/status')).body).toMatchObject({
      run: runId,
      phase: 'stopped',
      counters: { total: 3, checked: 3, renewed: 0, failed: 1 },
    });
    expect(out.trimEnd()).toMatch(/\[warning\] Stopped after \d of 3 renewals$/);
  });

  test('after a kill during an order, the run continues and orders only once', async () => {
    await allDue();
    const before = await counts();
    const runId = randomUUID();
    await alice.post('ssl/run', { runId });
    await holdAfterBad(runId);
    await ordering(runId, 'one');
    await backend.kill('SIGKILL');
    await start();
    await acme.release();
    const { run } = await work.ended(runId);
    expect(run.state).toBe('succeeded');
    expect(await renewalsOf(runId)).toEqual([
      ['bad.example.test', 'failed'],
      ['one.example.test', 'renewed'],
      ['two.example.test', 'renewed'],
    ]);
    expect((await alice.post('ssl/status')).body).toMatchObject({
      run: runId,
      phase: 'complete',
      counters: { total: 3, checked: 3, renewed: 2, failed: 1 },
    });
    expect(run.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
      'fetch succeeded',
      'check succeeded',
      'renew lost',
      'renew succeeded',
    ]);
    expect((await childrenOf(runId)).map(({ subject }) => subject.name)).toEqual([
      'bad.example.test',
      'one.example.test',
      'two.example.test',
    ]);
    expect(await counts()).toEqual(before.map((count) => count + 1));
  });

  test('a run cancelled between a kill and the take-over ends its running renewal first, and then itself', async () => {
    await allDue();
    const runId = randomUUID();
    await alice.post('ssl/run', { runId });
    await holdAfterBad(runId);
    const renewal = await ordering(runId, 'one');
    await backend.kill('SIGKILL');
    await start();
    expect((await alice.post('run/cancel', { id: runId })).status).toBe(200);
    const { run, out } = await work.ended(runId);
    await acme.release();
    expect(run.state).toBe('cancelled');
    expect(await place.inside('pgrep -f [c]ertbot || true')).toBe('');
    const one = (await childrenOf(runId)).find(({ id }) => id === renewal);
    expect(one?.state).toBe('cancelled');
    expect(Date.parse(one?.endedAt ?? '')).toBeLessThanOrEqual(Date.parse(run.endedAt ?? ''));
    expect(await renewalsOf(runId)).toContainEqual(['one.example.test', 'skipped']);
    expect(out.trimEnd()).toMatch(/\[warning\] Stopped after 1 of 1 renewals?$/);
  });

  test('a certificate whose folder was copied is not reported as renewed, and nothing is ordered for it', async () => {
    await allDue();
    const live = '/etc/letsencrypt/live';
    // The one that would fail, too: the authority allows five failures in an hour.
    const copied = ['bad', 'one'].map((label) => `${label}.example.test`);
    await place.inside(
      `cp -a ${live} /root/kept
      for name in ${copied.join(' ')}; do cp -rL ${live}/$name /root/copy && rm -r ${live}/$name && mv /root/copy ${live}/$name; done`,
    );
    const before = await ordered('one');
    const runId = randomUUID();
    await alice.post('ssl/run', { runId });
    const { out } = await work.ended(runId);
    await place.inside(
      `for name in ${copied.join(' ')}; do rm -r ${live}/$name && cp -a /root/kept/$name ${live}/$name; done`,
    );
    expect(await renewalsOf(runId)).toEqual([
      ['bad.example.test', 'failed'],
      ['one.example.test', 'failed'],
      ['two.example.test', 'renewed'],
    ]);
    expect(out).toContain(`${live}/one.example.test holds copies instead of links`);
    expect(out).not.toContain('Renewed certificate for one.example.test');
    expect([await ordered('one'), await place.inside('ls /etc/letsencrypt/live')]).toEqual([
      before,
      expect.not.stringContaining('-0001'),
    ]);
  });

  test('an authority that asks to wait is not asked again for names below the same domain', async () => {
    await allDue();
    const detail = 'too many certificates already issued for "example.test"';
    const before = await counts();
    await acme.refuseOrders({ status: 429, type: 'rateLimited', detail, retryAfter: '3600' });
    const runId = randomUUID();
    await alice.post('ssl/run', { runId });
    const { run, out } = await work.ended(runId);
    expect([run.state, await renewalsOf(runId)]).toEqual([
      'succeeded',
      [
        ['bad.example.test', 'failed'],
        ['one.example.test', 'putOff'],
        ['two.example.test', 'putOff'],
      ],
    ]);
    expect(out).toContain(
      '[warning] Renewal of one.example.test is put off: The authority asked us to wait until',
    );
    expect(await childrenOf(runId)).toHaveLength(1);
    // Postponed renewals cost no pause.
    expect(out).not.toContain('Waiting');
    expect(await counts()).toEqual(before);
  });
}
