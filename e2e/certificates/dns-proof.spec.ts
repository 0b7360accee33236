/**
 * Certificates whose names are proved in DNS, with a real certbot, authority and name server: a wildcard from its domain to
 * its renewal, a provider that fails, a record that never appears, a cancel, and a back end that is killed.
 * covers: DOM-08, DOM-12
 */
import { randomUUID, X509Certificate } from 'node:crypto';
import { lackedNames, type SslCheck } from '@quarterdeck/projections';
import {
  challengesIn,
  dnsFinishScript,
  dnsOrderScript,
} from '../../apps/backend/src/certificates/certbot-scripts/dns-order';
import { lookScript } from '../../apps/backend/src/certificates/certbot-scripts/lineage';
import { Rfc2136 } from '../../apps/backend/src/dns';
import { Outbound } from '../../apps/backend/src/platform/outbound/outbound';
import { quote, type ShellCommand } from '../../apps/backend/src/platform/ssh';
import { settingOf } from '../../apps/backend/src/platform/ssh/shell';
import { readTold } from '../../apps/backend/src/servers';
import { acmeLacks, startAcme, type Acme } from '../../testing/acme';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { startBindInside, type BindInside } from '../../testing/bind-inside';
import { unpackLine } from '../../testing/debian-packages';
import { operator } from '../../testing/operator';
import { fetchPage } from '../../testing/page';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import { pause, until } from '../../testing/patience';
import {
  siteWork,
  startSitePlace,
  type EndedRun,
  type SitePlace,
  type SiteWork,
} from '../webserver/site-ground';

const lacking = [...setupTestsLack(['certbot', 'curl', 'nginx']), ...acmeLacks()];
needs('this machine can bring up throw-away servers with certbot and an authority', lacking);

const ZONE = 'example.test';
const L = '/etc/letsencrypt';
const VALIDITY_SECONDS = 40;
const proved = ['preflight', 'lineage', 'order', 'prove', 'certbot', 'record', 'unprove'];

if (lacking.length === 0) {
  let place: SitePlace;
  let acme: Acme;
  let zone: BindInside;
  let postgres: TestPostgres;
  let backend: BackendProcess;
  let alice: Operator;
  let work: SiteWork;
  let server: string;

  const start = async (): Promise<void> => {
    const env = {
      ...place.env,
      ACME_DIRECTORY_URL: 'https://localhost:14000/dir',
      DNS_PROOF_SECONDS: '3',
      LOG_LEVEL: 'error',
    };
    backend = await spawnBackend({ databaseUrl: postgres.url, env });
    alice = alice ? operator(backend.url, alice.cookie) : await signIn(backend.url, backend.signInLink);
  };
  const provider = (secret = zone.key.secret) => ({
    kind: 'rfc2136',
    zone: ZONE,
    server: zone.host,
    port: zone.port,
    keyName: zone.key.name,
    algorithm: zone.key.algorithm,
    secret,
  });
  const setProvider = async (one?: object): Promise<void> => {
    const set = await alice.post('workspace/dns', { resolvers: [], ttl: 60, ...(one && { provider: one }) });
    expect([set.status, set.body]).toEqual([200, expect.anything()]);
  };

  beforeAll(async () => {
    [place, postgres] = await Promise.all([startSitePlace({ packages: true }), startTestPostgres()]);
    await start();
    work = siteWork(() => alice, place);
    await place.inside('chmod 755 /root');
    // Names below `sub` are elsewhere, so what is added below it cannot be seen.
    zone = await startBindInside(place, ZONE, [
      'held IN A 127.0.0.1',
      'failing IN A 127.0.0.1',
      'sub IN NS ns.elsewhere.test.',
    ]);
    acme = await startAcme(place.host, { validitySeconds: VALIDITY_SECONDS, dnsServer: zone.server });
    await acme.trust();
    await place.inside(unpackLine('certbot'));
    server = await work.register();
    expect((await work.run('server/init', { id: server })).run.state).toBe('succeeded');
  });
  afterAll(async () => {
    await backend?.kill('SIGKILL');
    await postgres?.stop();
    await place?.stop();
  });

  const succeeded = (ended: EndedRun): EndedRun => {
    expect([ended.run.state, ended.run.reason, ended.run.state === 'succeeded' ? '' : ended.out]).toEqual([
      'succeeded',
      undefined,
      '',
    ]);
    return ended;
  };
  const stepsOf = ({ run }: EndedRun): string[] => run.steps.map(({ step }) => step);
  const ordered = async (name: string): Promise<number> =>
    Number(await place.inside(`ls ${L}/archive/${name}/cert*.pem | wc -l`));
  const isGone = (name: string): Promise<void> =>
    until(async () => (await zone.texts(`_acme-challenge.${name}.${ZONE}`)).length === 0);
  const nothingWaits = async (): Promise<void> =>
    expect(
      await place.inside(`pgrep -f '[c]ertbot' || true; ls ${L}/quarterdeck-dns 2>/dev/null || true`),
    ).toBe('');

  const star = `*.shop.${ZONE}`;
  const disk = `_wildcard.shop.${ZONE}`;
  let wildcard: string;
  let held: string;

  test('without a DNS provider, a wildcard and a proof in DNS are refused with the way out', async () => {
    place.bind.change(`add ${star} 60 A ${place.host.host}`);
    const insert = { serverName: star, server: { id: server } };
    const refused = await alice.post<{ data: object }>('domain/insert', insert);
    expect([refused.status, refused.body.data]).toEqual([
      400,
      {
        serverName:
          'a certificate for a wildcard is proved in DNS, but no DNS provider is set up: choose one in the DNS settings of the workspace; or enter one name, such as www.shop.example.test',
      },
    ]);
    const plain = await work.domain('plain', server);
    const order = await alice.post<{ data: object }>('nginx/certbot', { id: plain, proof: 'dns' });
    expect([order.status, order.body.data]).toEqual([
      400,
      {
        proof:
          'no DNS provider is set up: choose one in the DNS settings of the workspace; or choose the proof over HTTP',
      },
    ]);
    await setProvider({ ...provider(), zone: 'other.test' });
    const elsewhere = await alice.post<{ data: { serverName?: string } }>('domain/insert', insert);
    expect(elsewhere.body.data.serverName).toContain(
      'the DNS provider of the workspace writes other.test, and shop.example.test is not in that zone',
    );
  });

  test('a wildcard is ordered, served, and its proof is removed', async () => {
    await setProvider(provider());
    const { status, body } = await alice.post<{ id: string }>('domain/insert', {
      serverName: star,
      server: { id: server },
    });
    expect([status, body]).toEqual([200, expect.anything()]);
    wildcard = body.id;
    await work.location(wildcard, { location: '/', is404: true });
    const order = succeeded(await work.run('nginx/certbot', { id: wildcard }));
    expect(stepsOf(order)).toEqual([...proved, 'folders2', 'install', 'served']);
    const view = await work.detail(wildcard);
    expect(view).toMatchObject({
      certificate: { names: [star], proof: 'dns', renewals: 0 },
      config: { file: `${disk}.conf`, options: { ssl: true } },
      served: { served: { serial: view.certificate?.serial } },
    });
    await isGone('shop');
    await nothingWaits();
    const page = await fetchPage({ host: place.host.host, name: `any.shop.${ZONE}`, path: '/a' });
    expect([page.status, page.headers.location]).toEqual([301, `https://any.shop.${ZONE}/a`]);
    const proof = await alice.post<{ data: object }>('nginx/certbot', { id: wildcard, proof: 'http' });
    expect([proof.status, Object.keys(proof.body.data)]).toEqual([400, ['proof']]);
  });

  test('a site serves its wildcard as another name, with one certificate for both', async () => {
    const name = `team.${ZONE}`;
    const stars = `*.${name}`;
    place.bind.change(`add ${name} 60 A ${place.host.host}`);
    place.bind.change(`add ${stars} 60 A ${place.host.host}`);
    const id = await work.domain('team', server);
    await work.location(id, { location: '/', is404: true });
    const names = [
      { name: stars, does: 'serves' },
      // An authority refuses it beside its wildcard.
      { name: `www.${name}`, does: 'redirects' },
    ];
    expect((await alice.post('domain/names', { id, names })).status).toBe(200);
    succeeded(await work.run('nginx/exec', { id }));
    const over = await alice.post<{ data: object }>('nginx/certbot', { id, proof: 'http' });
    expect([over.status, Object.keys(over.body.data)]).toEqual([400, ['proof']]);
    succeeded(await work.run('nginx/certbot', { id }));
    const view = await work.detail(id);
    expect(view).toMatchObject({
      certificate: { names: [name, stars], proof: 'dns' },
      served: { served: { serial: view.certificate?.serial } },
    });
    const page = await fetchPage({ host: place.host.host, name: `blue.${name}`, path: '/a' });
    expect([page.status, page.headers.location]).toEqual([301, `https://blue.${name}/a`]);
    const www = await fetchPage({ host: place.host.host, name: `www.${name}`, path: '/a' });
    expect([www.status, www.headers.location]).toEqual([301, `https://${name}/a`]);
    expect(lackedNames(view)).toEqual([]);
    await isGone('team');
  });

  test('the wildcard of a site may stand for its main name, and its certificate stays known as its own', async () => {
    const [name, stars] = [`app.group.${ZONE}`, `*.group.${ZONE}`];
    place.bind.change(`add ${stars} 60 A ${place.host.host}`);
    const id = await work.domain('app.group', server);
    expect(
      (await alice.post('domain/names', { id, names: [{ name: stars, does: 'redirects' }] })).status,
    ).toBe(200);
    succeeded(await work.run('nginx/exec', { id }));
    succeeded(await work.run('nginx/certbot', { id }));
    succeeded(await work.run('nginx/certbot', { id, force: true }));
    const view = await work.detail(id);
    expect(view).toMatchObject({
      certificate: { names: [stars], renewals: 1 },
      served: { valid: false, served: { serial: view.certificate?.serial } },
    });
    const page = await fetchPage({ host: place.host.host, name: `any.group.${ZONE}`, path: '/a' });
    expect([page.status, page.headers.location]).toEqual([301, `https://${name}/a`]);
    // Without a provider, the wildcard does not hold up other changes of the list.
    await setProvider();
    const other = { name: `other.${ZONE}`, does: 'serves' };
    const more = await alice.post('domain/names', { id, names: [{ name: stars, does: 'redirects' }, other] });
    expect([more.status, more.body]).toEqual([200, expect.anything()]);
    await setProvider(provider());
    succeeded(await work.run('nginx/certbot-rm', { id }));
    expect(await place.inside(`ls ${L}/live`)).not.toContain('app.group');
  });

  test('the timer of certbot leaves the certificate alone, and certbot cannot prove it by itself', async () => {
    await acme.refuseOrders({ status: 429, type: 'rateLimited', detail: 'nobody has to ask' });
    const before = await place.inside(`cat ${L}/renewal/${disk}.conf`);
    expect(before).toContain('autorenew = False');
    await place.inside('certbot renew -n --no-random-sleep-on-renew');
    const { code, out } = await place.host.inside(
      `certbot renew -n --no-random-sleep-on-renew --force-renewal --cert-name ${disk}`,
    );
    await acme.acceptOrders();
    expect(code).not.toBe(0);
    expect(out).toContain('manual-auth-hook');
    expect(out).not.toContain('nobody has to ask');
    expect(await place.inside(`cat ${L}/renewal/${disk}.conf`)).toBe(before);
  });

  test('the monitor renews it in the same way, without anybody', async () => {
    const { notAfter = '', serial } = (await work.detail(wildcard)).certificate ?? {};
    await pause(Date.parse(notAfter) - (VALIDITY_SECONDS / 2 - 2) * 1000 - Date.now());
    const runId = randomUUID();
    await alice.post('ssl/run', { runId });
    succeeded(await work.ended(runId));
    const { body } = await alice.post<SslCheck[]>('ssl/checks', { id: runId });
    const renewal = body.find(({ domain }) => domain === wildcard)?.renewal;
    expect(renewal).toMatchObject({ is: 'renewed' });
    const renewed = (await work.detail(wildcard)).certificate;
    expect(renewed).toMatchObject({ names: [star], proof: 'dns', renewals: 1 });
    expect([renewed?.serial === serial, await ordered(disk)]).toEqual([false, 2]);
    await isGone('shop');
  });

  test('a back end that is killed twice in the middle of an order goes on with it', async () => {
    const id = await work.domain('killed', server);
    await acme.hold();
    const { body } = await alice.post<{ runId: string }>('nginx/certbot', { id, proof: 'dns' });
    for (const step of ['order', 'certbot']) {
      await work.begun(body.runId, step);
      await backend.kill('SIGKILL');
      await start();
    }
    expect(await zone.texts(`_acme-challenge.killed.${ZONE}`)).toHaveLength(1);
    await acme.release();
    const order = succeeded(await work.ended(body.runId));
    expect(stepsOf(order)).toEqual(expect.arrayContaining(proved));
    expect([await ordered(`killed.${ZONE}`), (await work.detail(id)).certificate?.proof]).toEqual([1, 'dns']);
    await isGone('killed');
    await nothingWaits();
  });

  test('a cancelled order leaves neither its record nor certbot, and counts against the limits', async () => {
    for (const [label, proof] of [
      ['held', 'http'],
      ['kept', 'dns'],
    ] as const) {
      const id = await work.domain(label, server);
      if (proof === 'http') held = id;
      await acme.hold();
      const { body } = await alice.post<{ runId: string }>('nginx/certbot', { id, proof });
      await work.begun(body.runId, 'certbot');
      await place.inside(
        `until grep -q '"finalize": "' $(grep -l '"value": "${label}.${ZONE}"' /var/log/letsencrypt/*.log /var/log/letsencrypt/*/*.log) /dev/null; do sleep 0.1; done`,
      );
      await alice.post('run/cancel', { id: body.runId });
      expect((await work.ended(body.runId)).run.state).toBe('cancelled');
      await acme.release();
      expect((await work.detail(id)).refusals).toMatchObject([
        { wasted: true, detail: 'The order was cancelled after the authority had taken it.' },
      ]);
      await isGone(label);
      await nothingWaits();
    }
  });

  test('one order for a name and its wildcard is proved by two texts under one name', async () => {
    const serverName = `both.${ZONE}`;
    const tell = async ({ script, ...given }: ShellCommand) =>
      readTold(await place.inside(`sh -c ${quote(settingOf(given) + script)}`)).report;
    const names = [serverName, `*.${serverName}`];
    const order = dnsOrderScript({ serverName, names, known: names, directoryUrl: acme.directoryUrl });
    const [one, other, ...more] = challengesIn(await tell(order));
    expect([one?.name, other?.name, more]).toEqual([
      `_acme-challenge.${serverName}`,
      `_acme-challenge.${serverName}`,
      [],
    ]);
    if (!one || !other) throw new Error('the authority wants two texts');
    const { server: _, key, zone: of, ...at } = zone;
    const dns = new Rfc2136(
      { server: at.host, port: at.port, zone: of, keyName: key.name, algorithm: key.algorithm },
      key.secret,
      new Outbound(['127.0.0.1']),
    );
    await Promise.all([dns.addText(one, 60), dns.addText(other, 60)]);
    expect((await zone.texts(one.name)).toSorted()).toEqual([one.text, other.text].toSorted());
    const { state, certificate = '' } = await tell(
      dnsFinishScript({ certificate: serverName, verdict: 'go' }),
    );
    expect(state).toBe('issued');
    const leaf = new X509Certificate(Buffer.from(certificate, 'base64'));
    expect(leaf.subjectAltName?.split(', ').toSorted()).toEqual(
      names.map((name) => `DNS:${name}`).toSorted(),
    );
    for (const record of [one, other]) await dns.removeText(record);
    // It is the console's own, and not one of somebody else.
    const { is } = await tell(lookScript({ certificate: serverName, known: names.join(' ') }));
    expect(is).toBe('ours');
    await nothingWaits();
  });

  test('a record that never appears stops the order before the authority looks', async () => {
    const id = await work.domain('shop.sub', server);
    const { run } = await work.run('nginx/certbot', { id, proof: 'dns' });
    expect([run.state, run.code, run.steps.at(-1)?.step]).toEqual(['failed', 'dnsNotSeen', 'certbot']);
    expect(run.reason).toBe(
      `The TXT record _acme-challenge.shop.sub.${ZONE} was added, but after 3 seconds it cannot be seen: ns.${ZONE} does not have it.`,
    );
    expect((await work.detail(id)).refusals).toMatchObject([{ wasted: true }]);
    await nothingWaits();
  });

  test('a provider that fails ends the order in its words, and a retry begins again', async () => {
    const id = await work.domain('failing', server);
    succeeded(await work.run('nginx/certbot', { id }));
    await setProvider(provider(Buffer.alloc(32, 7).toString('base64')));
    const { run } = await work.run('nginx/certbot', { id, proof: 'dns' });
    expect([run.state, run.code]).toEqual(['failed', 'dnsProvider']);
    expect(run.reason).toContain('has a different secret for this key');
    await nothingWaits();
    // Until there is another certificate, certbot renews the present one as before.
    expect(await place.inside(`cat ${L}/renewal/failing.${ZONE}.conf`)).not.toContain('autorenew');
    await setProvider(provider());
    expect((await alice.post('run/retry', { id: run.id })).status).toBe(200);
    succeeded(await work.ended(run.id));
    expect((await work.detail(id)).certificate).toMatchObject({ proof: 'dns' });
    await isGone('failing');
  });

  test('a certificate changes from one proof to the other, and is removed', async () => {
    succeeded(await work.run('nginx/certbot', { id: held, proof: 'dns' }));
    succeeded(await work.run('nginx/certbot', { id: held, proof: 'http' }));
    expect((await work.detail(held)).certificate).toMatchObject({ renewals: 1 });
    expect((await work.detail(held)).certificate?.proof).toBeUndefined();
    expect(await place.inside(`cat ${L}/renewal/held.${ZONE}.conf`)).not.toContain('autorenew');
    succeeded(await work.run('nginx/certbot-rm', { id: wildcard }));
    expect(await place.inside(`ls ${L}/live ${L}/renewal`)).not.toContain('_wildcard');
  });
}
