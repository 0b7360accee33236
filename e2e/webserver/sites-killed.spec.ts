/**
 * The back end is killed, or its connection to the server cut, at each step of an apply: the run ends by itself,
 * visitors notice nothing, and file and event agree. The same holds for checks during an apply, and for restoring a
 * broken site. covers: DOM-07, SRV-14
 */
import { v7 as uuidv7 } from 'uuid';
import { spawnBackend, type BackendProcess } from '../../testing/backend-process';
import { operator, type Operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy';
import { needs } from '../../testing/throwaway-needs';
import { startWebProbe } from '../../testing/web-probe';
import { setupTestsLack } from '../servers/setup-world';
import { siteWork, startSitePlace, type EndedRun, type SitePlace, type SiteWork } from './site-ground';
import { siteServerSetUp } from './site-server';

const lacking = setupTestsLack(['nginx']);
needs('this machine can bring up throw-away servers with nginx', lacking);

const LIVE = '/root/volumes/nginx_config/app.example.test.conf';

if (lacking.length === 0) {
  let place: SitePlace;
  let postgres: TestPostgres;
  let backend: BackendProcess;
  let alice: Operator;
  let work: SiteWork;
  let wire: TcpProxy;
  let app: string;

  const start = (): Promise<BackendProcess> => spawnBackend({ databaseUrl: postgres.url, env: place.env });
  beforeAll(async () => {
    place = await startSitePlace();
    postgres = await startTestPostgres();
    backend = await start();
    alice = await operator(backend.url).signIn(new URL(backend.signInLink).searchParams.get('code') ?? '');
    work = siteWork(() => alice, place);
    await place.inside(
      `${siteServerSetUp}
      mkdir -p /root/volumes/static/app.example.test && echo hello > /root/volumes/static/app.example.test/index.html`,
    );
    // At the server's own address, because its sites are requested there too.
    wire = await startTcpProxy(place.host, place.host.host);
    app = await work.domain('app', await work.register(wire));
    await work.location(app, { location: '/' });
    expect((await work.run('nginx/exec', { id: app })).run.state).toBe('succeeded');
  });
  afterAll(async () => {
    await backend?.stop();
    await wire?.stop();
    await place?.stop();
    await postgres?.stop();
  });

  let gzip = false;
  /** Applies another configuration, and disturbs it once the step has begun. */
  const disturbed = async (step: string, disturb: () => Promise<void>): Promise<EndedRun> => {
    const runId = uuidv7();
    gzip = !gzip;
    const started = await alice.post('nginx/exec', {
      id: app,
      runId,
      options: { docker: false, ssl: false, gzip },
    });
    expect(started.status).toBe(200);
    await work.begun(runId, step);
    await disturb();
    const ended = await work.ended(runId);
    expect([step, ended.run.state, ended.run.reason]).toEqual([step, 'succeeded', undefined]);
    const { config, configs } = await work.detail(app);
    expect(config).toMatchObject({ run: runId, options: { gzip } });
    expect(configs.filter(({ run }) => run === runId)).toHaveLength(1);
    expect(await place.inside(`cat ${LIVE}`)).toBe(config?.text);
    return ended;
  };

  test('the back end is killed at each step: the next one finishes the run', async () => {
    const probe = await startWebProbe(place.host, { serverName: 'app.example.test' });
    for (const step of ['before', 'folders', 'apply', 'probe', 'prove', 'answer'])
      await disturbed(step, async () => {
        await backend.kill('SIGKILL');
        backend = await start();
        alice = operator(backend.url, alice.cookie);
      });
    const { asked, bad } = await probe.stop();
    expect([bad, asked > 100]).toEqual([[], true]);
  });

  test('the connection is cut at each step on the server: it is restored, and nothing is done twice', async () => {
    const probe = await startWebProbe(place.host, { serverName: 'app.example.test' });
    // Opens the connection that is cut. A new one might still be exchanging its greeting.
    await look();
    for (const step of ['folders', 'apply']) {
      const { run } = await disturbed(step, async () => wire.cut());
      expect(run.steps.map((one) => one.step)).toEqual([
        'before',
        'folders',
        'apply',
        'probe',
        'prove',
        'answer',
      ]);
    }
    const { asked, bad } = await probe.stop();
    expect([bad, asked > 20]).toEqual([[], true]);
  });

  const options = { docker: false, ssl: false, gzip: false };
  const look = async (): Promise<{ sha256: string; drifted: boolean }> => {
    const { status, body } = await alice.post<{ sha256: string; drifted: boolean }>('nginx/look', {
      id: app,
    });
    expect(status).toBe(200);
    return body;
  };

  test('a check during an apply has to wait: a change that is about to be recorded is not drift', async () => {
    const lock = '/root/.quarterdeck/nginx/lock.held';
    await place.inside(
      `systemd-run --quiet --collect --unit=hold flock ${lock} sleep 600
      while flock -n ${lock} true; do sleep 0.1; done`,
    );
    await disturbed('apply', async () => {
      const { status, body } = await alice.post<{ msg: string }>('nginx/look', { id: app });
      const busy = /^Apply configuration is under way on app\.example\.test, started by /;
      expect([status, body.msg]).toEqual([409, expect.stringMatching(busy)]);
      await place.inside('systemctl stop hold');
    });
    expect((await look()).drifted).toBe(false);
  });

  test('the earlier file is restored byte for byte, even if it is not text and was to be overwritten', async () => {
    const hand = '/etc/nginx/conf.d/hand.conf';
    await place.inside(`printf '# caf\\351\\n' >> ${LIVE} && cp -p ${LIVE} /tmp/latin && nginx -s reload`);
    const { sha256 } = await look();
    // Written by hand, and not loaded yet: once nginx loads it, this address is no longer ours.
    await place.inside(`printf 'server { listen 127.0.0.1:80; return 444; }' > ${hand}`);
    const { run } = await work.run('nginx/exec', { id: app, options, overwrite: sha256 });
    expect([run.code, run.steps.at(-1)?.step]).toEqual(['probe', 'verdict']);
    await place.inside(`cmp ${LIVE} /tmp/latin; rm ${hand}; nginx -s reload`);
    expect((await work.detail(app)).drift?.found?.sha256).toBe(sha256);
  });
}
