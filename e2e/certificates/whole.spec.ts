/**
 * A domain from DNS to HTTPS and back, with a real name server, and a server with real systemd, nginx, certbot and an
 * authority. covers: DOM-02, DOM-05, DOM-07, DOM-08, DOM-12
 */
import { X509Certificate } from 'node:crypto';
import type { DomainView } from '@quarterdeck/projections';
import { openWorld, type World } from '../backend/world';
import { acmeLacks, startAcme, type Acme } from '../../testing/acme';
import type { Operator } from '../../testing/backend';
import { unpackLine } from '../../testing/debian-packages';
import { fetchPage, type Page } from '../../testing/page';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import {
  siteWork,
  startSitePlace,
  type EndedRun,
  type SitePlace,
  type SiteWork,
} from '../webserver/site-ground';

const lacking = [...setupTestsLack(['certbot', 'curl', 'nginx']), ...acmeLacks()];
needs('this machine can bring up throw-away servers with certbot and an authority', lacking);

const UPSTREAM = 8090;
const upstream = `require('http').createServer((q, r) => r.end('upstream saw ' + q.headers['x-forwarded-proto'] + ' for ' + q.headers.host)).listen(${UPSTREAM}, '127.0.0.1')`;
const DAY_MS = 86_400_000;

if (lacking.length === 0) {
  let place: SitePlace;
  let world: World;
  let alice: Operator;
  let work: SiteWork;
  let acme: Acme;
  let server: string;
  let shop: string;
  const shopName = 'shop.example.test';

  beforeAll(async () => {
    place = await startSitePlace({ packages: true });
    world = await openWorld({ env: { ...place.env, ACME_DIRECTORY_URL: 'https://localhost:14000/dir' } });
    alice = await world.backend.signIn();
    work = siteWork(() => alice, place);
    // A common set-up where root's home contains the sites.
    await place.inside('chmod 755 /root');
    acme = await startAcme(place.host, { blocked: ['blocked.example.test'] });
    await acme.trust();
    await place.inside(`${unpackLine('certbot')}
      systemd-run --quiet --collect --unit=upstream ${process.execPath} -e "${upstream}"`);
    server = await work.register();
  });
  afterAll(async () => {
    await world?.end();
    await place?.stop();
  });

  /** Without what was seen of the site, which comes at its own time. */
  const events = async (id: string) =>
    (
      await world.backend.db.query<{ type: string; data: Record<string, unknown>; cause: string }>(
        `select type, data, meta->>'causationId' as cause from log.events
          where stream = $1 and type <> 'SiteAnswerChanged' order by revision`,
        [`domain-${id}`],
      )
    ).rows;
  const page = (name: string, path: string, ca?: string): Promise<Page> =>
    fetchPage({ host: place.host.host, name, path, ...(ca !== undefined && { ca }) });
  const stepsOf = ({ run }: EndedRun): string[] => run.steps.map(({ step, state }) => `${step} ${state}`);
  const succeeded = (ended: EndedRun): EndedRun => {
    expect([ended.run.state, ended.run.reason, ended.run.state === 'succeeded' ? '' : ended.out]).toEqual([
      'succeeded',
      undefined,
      '',
    ]);
    return ended;
  };

  test('the server is set up, and gets a name in DNS', async () => {
    succeeded(await work.run('server/init', { id: server }));
    const { bind, host } = place;
    const { name: keyName, algorithm, secret } = bind.key;
    const provider = {
      kind: 'rfc2136',
      zone: bind.zone,
      server: bind.host,
      port: bind.port,
      keyName,
      algorithm,
      secret,
    };
    const set = await alice.post('workspace/dns', { resolvers: [], parent: bind.zone, ttl: 60, provider });
    expect([set.status, set.body]).toEqual([200, expect.anything()]);
    const record = { name: 'shop', SLD: 'example', TLD: 'test', ip: host.host };
    expect((await alice.post('dns/host/add', record)).body).toMatchObject({
      added: true,
      hostname: shopName,
    });
    const inserted = await alice.post<{ id: string }>('domain/insert', {
      serverName: shopName,
      server: { id: server },
    });
    expect(inserted.status).toBe(200);
    shop = inserted.body.id;
    await work.location(shop, { location: '/', url: `http://127.0.0.1:${UPSTREAM}` });
  });

  test('its configuration goes live over HTTP', async () => {
    const applied = succeeded(await work.run('nginx/exec', { id: shop }));
    expect(stepsOf(applied)).toEqual([
      'before succeeded',
      'folders succeeded',
      'apply succeeded',
      'probe succeeded',
      'prove succeeded',
      'answer succeeded',
    ]);
    expect(await page(shopName, '/')).toMatchObject({
      status: 200,
      text: `upstream saw http for ${shopName}`,
    });
    const view = await work.detail(shop);
    expect(view).toMatchObject({
      config: { run: applied.run.id, options: { docker: false, ssl: false, gzip: false } },
      configs: [{ sha256: view.config?.sha256 }],
    });
    expect(
      await place.inside(
        `cat ${view.config?.file.startsWith('/') ? '' : '/root/volumes/nginx_config/'}${view.config?.file}`,
      ),
    ).toBe(view.config?.text);
  });

  let issued: DomainView;
  test('a certificate is issued, installed, and found over the network', async () => {
    const refused = await alice.post<{ data: object }>('nginx/exec', {
      id: shop,
      options: { docker: false, ssl: true, gzip: false },
    });
    expect([refused.status, Object.keys(refused.body.data)]).toEqual([400, ['options.ssl']]);

    // The reviewed configuration differs from the one that would go live.
    for (const seen of [{ seen: 'f'.repeat(64) }, { seen: 'f'.repeat(64), force: true }])
      expect((await alice.post('nginx/certbot', { id: shop, ...seen })).status).toBe(409);
    const plain = { docker: false, ssl: false, gzip: false };
    expect((await alice.post('nginx/certbot', { id: shop, options: plain })).status).toBe(400);
    const order = succeeded(await work.run('nginx/certbot', { id: shop }));
    expect([order.run.kind, stepsOf(order)]).toEqual([
      'issueCertificate',
      ['preflight', 'lineage', 'webroot', 'certbot', 'record', 'folders2', 'install', 'served'].map(
        (step) => `${step} succeeded`,
      ),
    ]);
    issued = await work.detail(shop);
    const pem = await place.inside(`cat /etc/letsencrypt/live/${shopName}/cert.pem`);
    const leaf = new X509Certificate(pem);
    expect(issued).toMatchObject({
      certificate: { serial: leaf.serialNumber, names: [shopName], renewals: 0, run: order.run.id },
      served: { served: { serial: leaf.serialNumber } },
      config: { options: { ssl: true }, run: order.run.id },
      issuances: [{ names: [shopName], renewed: false }],
      refusals: [],
    });
    expect(issued.configs).toHaveLength(2);
    expect((await events(shop)).map(({ type }) => type)).toEqual([
      'DomainAdded',
      'LocationAdded',
      'SiteConfigApplied',
      'CertificateIssued',
      'SiteConfigApplied',
      'CertificateServed',
    ]);

    const root = await acme.root();
    expect(await page(shopName, '/a?b=c', root)).toMatchObject({
      status: 200,
      text: `upstream saw https for ${shopName}`,
    });
    const redirect = await page(shopName, '/a?b=c');
    expect([redirect.status, redirect.headers.location]).toEqual([301, `https://${shopName}/a?b=c`]);
    const expiry = await alice.post<{ daysRemaining: number }>('dns/ssl/expiry', { host: shopName });
    expect(expiry.body).toMatchObject({ valid: false, validTo: issued.certificate?.notAfter });
    const left = (Date.parse(issued.certificate?.notAfter ?? '') - Date.now()) / DAY_MS;
    expect(Math.abs(expiry.body.daysRemaining - left)).toBeLessThanOrEqual(1);
  });

  test('a certificate that is not due is kept, and renewed on request', async () => {
    const kept = succeeded(await work.run('nginx/certbot', { id: shop }));
    expect([kept.run.kind, (await events(shop)).length]).toEqual(['renewCertificate', 6]);
    // An edit that was not applied does not block the renewal, even if nginx would refuse it.
    const edited = await work.location(shop, { location: '/media', volumes: '/srv/no-such-folder' });
    const forced = succeeded(await work.run('nginx/certbot', { id: shop, force: true }));
    expect(stepsOf(forced)).toEqual(
      ['preflight', 'lineage', 'webroot', 'certbot', 'record', 'served'].map((step) => `${step} succeeded`),
    );
    const renewed = await work.detail(shop);
    expect(renewed.config).toEqual(issued.config);
    expect(await place.inside(`cat /root/volumes/nginx_config/${shopName}.conf`)).toBe(issued.config?.text);
    await alice.post('domain/location/delete', { id: edited });
    expect(renewed).toMatchObject({
      certificate: { renewals: 1, run: forced.run.id },
      issuances: [{ renewed: true }, { renewed: false }],
      served: { served: { serial: renewed.certificate?.serial } },
    });
    expect(renewed.certificate?.serial).not.toBe(issued.certificate?.serial);
    expect((await page(shopName, '/', await acme.root())).status).toBe(200);
  });

  test('nothing is ordered if DNS points elsewhere, or if the live file was edited by hand', async () => {
    const away = await work.domain('away', server);
    place.bind.change('update delete away.example.test A', 'add away.example.test 60 A 127.0.0.9');
    const { run } = await work.run('nginx/certbot', { id: away });
    expect([run.state, run.code, run.steps.map(({ step }) => step)]).toEqual([
      'failed',
      'dns',
      ['preflight'],
    ]);
    expect(run.reason).toContain('127.0.0.9');
    const edited = `/root/volumes/nginx_config/${shopName}.conf`;
    await place.inside(`cp -p ${edited} /tmp/kept && echo '# by hand' >> ${edited}`);
    const { run: drifted } = await work.run('nginx/certbot', { id: shop, force: true });
    expect([drifted.code, drifted.steps.map(({ step }) => step)]).toEqual(['drifted', ['preflight']]);
    await place.inside(`cp -p /tmp/kept ${edited}`);
    expect((await alice.post('domain/delete', { id: away })).body).toEqual({ id: away, uuid: away });
  });

  test('the certificate is removed, and the site answers over HTTP again', async () => {
    const removed = succeeded(await work.run('nginx/certbot-rm', { id: shop }));
    expect(stepsOf(removed)).toEqual([
      'folders succeeded',
      'apply succeeded',
      'certbot succeeded',
      'served succeeded',
    ]);
    expect(await page(shopName, '/')).toMatchObject({
      status: 200,
      text: `upstream saw http for ${shopName}`,
    });
    const view = await work.detail(shop);
    expect([view.certificate, view.config?.options.ssl]).toEqual([undefined, false]);
    expect(view.served).toMatchObject({ valid: false, reason: expect.any(String) });
    expect(view.served?.served).toBeUndefined();
    expect(await place.inside('ls /etc/letsencrypt/live /etc/letsencrypt/renewal')).not.toContain(shopName);
    const again = await alice.post<{ data: object }>('nginx/certbot-rm', { id: shop });
    expect([again.status, again.body.data]).toEqual([
      400,
      { id: 'this domain has no certificate from this console' },
    ]);
  });

  test('a domain is removed with everything on the server, and its name is free again', async () => {
    succeeded(await work.run('nginx/certbot', { id: shop }));
    const keepOne = await alice.post<{ data: object }>('domain/delete', {
      id: shop,
      keep: { config: true, certificate: false },
    });
    expect([keepOne.status, Object.keys(keepOne.body.data)]).toEqual([400, ['keep.certificate']]);
    // A hand-written site uses the certificate: the removal reports what it removed, and the rest follows later.
    const theirs = '/root/volumes/nginx_config/theirs.conf';
    const lineage = `/etc/letsencrypt/live/${shopName}`;
    await place.inside(
      `printf 'server { listen 8443 ssl; server_name theirs.test; ssl_certificate ${lineage}/fullchain.pem; ssl_certificate_key ${lineage}/privkey.pem; }' > ${theirs}`,
    );
    const { run: halfway } = await work.run('domain/delete', { id: shop, serverName: shopName });
    expect([halfway.state, halfway.code]).toEqual(['failed', 'inUse']);
    const half = await work.detail(shop);
    expect([half.config, half.certificate]).toEqual([undefined, expect.anything()]);
    await place.inside(`rm ${theirs}`);
    expect((await alice.post('run/retry', { id: halfway.id })).status).toBe(200);
    const removal = succeeded(await work.ended(halfway.id));
    expect(stepsOf(removal)).toEqual(['remove succeeded', 'certbot failed', 'certbot succeeded']);
    expect((await alice.post('domain/detail', { id: shop })).status).toBe(404);
    expect((await events(shop)).at(-1)).toMatchObject({
      type: 'DomainRemoved',
      data: { serverName: shopName, kept: { config: false, certificate: false } },
      cause: removal.run.id,
    });
    const left = await place.inside(
      'ls /root/volumes/nginx_config /etc/letsencrypt/live /etc/letsencrypt/renewal; nginx -t 2>&1',
    );
    expect(left).not.toContain(shopName);
    expect(left).toContain('test is successful');
    const back = await alice.post<{ id: string }>('domain/insert', {
      serverName: shopName,
      server: { id: server },
    });
    expect(back.status).toBe(200);
    // Removing the domain does not change the authority's count.
    const { body } = await alice.post<{ domain: string; budgets: object[] }[]>('ssl/budget', {});
    expect(body).toEqual([
      expect.objectContaining({
        domain: 'example.test',
        budgets: expect.arrayContaining([
          expect.objectContaining({ limit: 'registeredDomain', left: 49, outOf: 50 }),
        ]),
      }),
    ]);
  });

  test('an order is refused in the words of the authority, and the live HTTP site stays', async () => {
    const blocked = await work.domain('blocked', server);
    const { run } = await work.run('nginx/certbot', { id: blocked });
    expect([run.state, run.code, run.steps.at(-1)?.step]).toEqual([
      'failed',
      'rejectedIdentifier',
      'certbot',
    ]);
    expect(run.reason).toContain('blocked.example.test');
    const view = await work.detail(blocked);
    expect(view.refusals).toMatchObject([
      {
        problem: 'urn:ietf:params:acme:error:rejectedIdentifier',
        detail: expect.stringContaining('blocked.example.test'),
      },
    ]);
    expect([view.certificate, view.config?.options.ssl]).toEqual([undefined, false]);
    await acme.refuseOrders({ status: 429, type: 'rateLimited', detail: 'too many', retryAfter: '3600' });
    const { run: limited } = await work.run('nginx/certbot', { id: blocked });
    expect([limited.code, (await work.detail(blocked)).refusals[0]]).toEqual([
      'rateLimited',
      expect.objectContaining({ retryAt: expect.any(String) }),
    ]);
    await acme.acceptOrders();
    // The authority asked to wait, so no request is sent before.
    const { run: early } = await work.run('nginx/certbot', { id: blocked });
    expect([early.code, early.steps.map(({ step }) => step)]).toEqual(['rateBudget', ['preflight']]);
    expect(early.reason).toContain('The authority asked us to wait until');
    expect((await alice.post('run/retry', { id: limited.id })).status).toBe(200);
    expect((await work.ended(limited.id)).run).toMatchObject({ state: 'failed', code: 'rateBudget' });
    expect((await work.detail(blocked)).refusals).toHaveLength(2);
  });
}
