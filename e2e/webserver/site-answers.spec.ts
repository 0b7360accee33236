/**
 * Every state of a site, with a real nginx that is looked at over the network, and the same words in the list, the header,
 * on Home, in the alert and in an inspection. covers: DOM-02, DOM-07
 */
import {
  domainVerdict,
  runVerdict,
  siteStateOf,
  siteVerdicts,
  type AlertView,
  type AttentionItem,
  type DomainRow,
  type SiteState,
} from '@quarterdeck/projections';
import { inDays, tellOfDomain } from '../alerts/domain-events';
import { openWorld, type World } from '../backend/world';
import { until } from '../../testing/patience';
import type { Operator } from '../../testing/backend';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import { siteWork, startSitePlace, type SitePlace, type SiteWork } from './site-ground';
import { siteServerSetUp } from './site-server';

const lacking = setupTestsLack(['nginx']);
needs('this machine can bring up throw-away servers with nginx', lacking);

if (lacking.length === 0) {
  let place: SitePlace;
  let world: World;
  let alice: Operator;
  let work: SiteWork;
  let app: string;
  let api: string;

  const HAND = '/etc/nginx/conf.d/hand.conf';
  const answering = (unit: string) =>
    place.inside(
      `systemd-run --quiet --collect --unit=${unit} ${process.execPath} -e "require('http').createServer((q, r) => r.end('hi')).listen(8091, '127.0.0.1')"
      until curl -s -o /dev/null http://127.0.0.1:8091/; do sleep 0.1; done`,
    );

  beforeAll(async () => {
    place = await startSitePlace();
    world = await openWorld({
      env: { ...place.env, SITE_CHECKS: 'on', SITE_CHECK_SECONDS: '1', HEALTH_CHECKS: 'on' },
    });
    alice = await world.backend.signIn();
    work = siteWork(() => alice, place);
    await place.inside(siteServerSetUp);
    const server = await work.register();
    app = await work.domain('app', server);
    api = await work.location(app, { location: '/', url: 'http://127.0.0.1:8091' });
    await answering('upstream');
  });
  afterAll(async () => {
    await world?.end();
    await place?.stop();
  });

  const get = async <T>(path: string): Promise<T> => (await alice.get<T>(path)).body;
  const state = async (): Promise<SiteState> => siteStateOf(await work.detail(app));

  /** Waits until the site is in this state everywhere, and compares what the pages show. */
  const everywhere = async (is: SiteState): Promise<void> => {
    await until(async () => (await state()) === is);
    const { label, tone } = siteVerdicts[is];
    const now = Date.now();
    const detail = await work.detail(app);
    expect(detail.lookedAt).toEqual(expect.any(String));
    const [row] = await get<DomainRow[]>('domain/list');
    const header = domainVerdict(detail, { now });
    expect(row && domainVerdict(row, { now })).toEqual(header);
    expect(header.label).toBe(tone === 'good' ? 'Serving' : `Needs attention: ${label}`);

    const alerts = async () =>
      (await alice.post<AlertView[]>('alert/list', {})).body.filter(
        ({ about, state: of }) => about === 'siteDown' && of === 'open',
      );
    const told = async () => (await alerts()).map(({ says }) => says.includes(`: ${label}. `));
    await until(async () => JSON.stringify(await told()) === (tone === 'bad' ? '[true]' : '[]'));
    const { attention } = (await alice.post<{ attention: AttentionItem[] }>('home/overview', {})).body;
    const items = attention.filter(({ id, kind }) => kind === 'domain' && id === app);
    expect(items.map((item) => item.label)).toEqual(tone === 'good' ? [] : [expect.stringContaining(label)]);

    const { run, out } = await work.run('domain/location/inspect', { id: api });
    expect([run.state, out]).toEqual([
      tone === 'good' ? 'succeeded' : 'failed',
      expect.stringContaining(`Seen by visitors: ${label}. `),
    ]);
  };
  const reloaded = 'nginx -s reload';

  test('ours: an apply proves that its own file answers', async () => {
    const { run, out } = await work.run('nginx/exec', { id: app });
    expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
    expect(run.steps.find(({ step }) => step === 'prove')?.report).toMatchObject({
      proof: 'ours',
      taken: '',
    });
    expect(out).toContain('Our file answers at');
    await everywhere('answers');
  });

  test('an app whose response headers are as large as its location allows answers', async () => {
    await place.inside(
      `systemd-run --quiet --collect --unit=large ${process.execPath} -e "require('http').createServer((q, r) => r.setHeader('set-cookie', Array(10).fill('c=' + 'x'.repeat(4000))).end('hi')).listen(8092, '127.0.0.1')"
      until curl -s -o /dev/null http://127.0.0.1:8092/; do sleep 0.1; done`,
    );
    const location = { location: '/large/', url: 'http://127.0.0.1:8092', maxHeader: 64 };
    const large = await work.location(app, location);
    const { run } = await work.run('nginx/exec', { id: app });
    expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
    await everywhere('answers');
    expect((await alice.post('domain/location/delete', { id: large })).status).toBe(200);
    expect((await work.run('nginx/exec', { id: app })).run.state).toBe('succeeded');
  });

  test('502: the app behind the site is dead', async () => {
    await place.inside('systemctl stop upstream');
    await everywhere('502');
    await answering('upstream2');
    await everywhere('answers');
  });

  test('nginx stopped: the server says so', async () => {
    await place.inside('systemctl stop nginx');
    await everywhere('nginxStopped');
    await place.inside('systemctl start nginx');
    await everywhere('answers');
  });

  test('another: a listen with an address takes the name, and the run says which file', async () => {
    await place.inside(
      `printf 'server { listen 127.0.0.1:80 default_server; server_name legacy.example.test; return 200 "old panel"; }' > ${HAND}; ${reloaded}`,
    );
    await everywhere('another');
    const { run } = await work.run('nginx/exec', { id: app });
    expect([run.state, run.code, run.reason]).toEqual([
      'failed',
      'anotherSite',
      expect.stringContaining(HAND),
    ]);
    expect(runVerdict(run).label).toBe('applied, another site answers');
    await place.inside(`rm ${HAND}; ${reloaded}`);
    await everywhere('answers');
  });

  test('silent before and after an apply is no success', async () => {
    await place.inside(
      `printf 'server { listen 127.0.0.1:80 default_server; return 444; }' > ${HAND}; ${reloaded}`,
    );
    await everywhere('silent');
    const before = await work.detail(app);
    const options = { docker: false, ssl: false, gzip: true };
    const { run } = await work.run('nginx/exec', { id: app, options });
    expect([run.state, run.code, runVerdict(run).label]).toEqual([
      'failed',
      'silentSite',
      'applied, does not answer',
    ]);
    expect((await work.detail(app)).config?.sha256).not.toBe(before.config?.sha256);
    await place.inside(`rm ${HAND}; ${reloaded}`);
    await everywhere('answers');
  });

  test('TLS gone: something else has the port of HTTPS', async () => {
    const name = `app.${place.bind.zone}`;
    const folder = `/etc/letsencrypt/live/${name}`;
    await place.inside(
      `mkdir -p ${folder}; openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 80 -subj /CN=${name} -keyout ${folder}/privkey.pem -out ${folder}/fullchain.pem 2>/dev/null`,
    );
    const [notBefore, notAfter] = [inDays(-1), inDays(80)];
    const served = { serial: '0A', issuer: 'Test CA', names: [name], notBefore, notAfter };
    const { workspace } = await work.detail(app);
    const known = { ...served, keyType: 'ec', fingerprint: 'AA' };
    await tellOfDomain(
      world.backend.resources.store,
      workspace,
      app,
      { type: 'CertificateIssued', data: known },
      { type: 'CertificateServed', data: { valid: true, served: { ...served, protocol: 'TLSv1.3' } } },
    );
    await until(async () => (await work.detail(app)).served !== undefined);
    const { run, out } = await work.run('nginx/exec', {
      id: app,
      options: { docker: false, ssl: true, gzip: false },
    });
    expect([run.state, run.reason, out]).toEqual(['succeeded', undefined, expect.any(String)]);
    await everywhere('answers');
    await place.inside(
      `printf 'server { listen 127.0.0.1:443 default_server; return 444; }' > ${HAND}; systemctl restart nginx`,
    );
    await everywhere('tlsGone');
    await place.inside(`rm ${HAND}; systemctl restart nginx`);
    await everywhere('answers');
  });

  test('only changes are events', async () => {
    const { rows } = await world.backend.db.query<{ is: string }>(
      `select data->>'is' as is from log.events where stream = $1 and type = 'SiteAnswerChanged' order by revision`,
      [`domain-${app}`],
    );
    const seen = rows.map(({ is }) => is);
    expect(seen.filter((is, at) => is === seen[at - 1])).toEqual([]);
    expect(new Set(seen)).toEqual(
      new Set(['answers', '502', 'nginxStopped', 'another', 'silent', 'tlsGone']),
    );
  });
}
