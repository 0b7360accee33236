/**
 * Several names for one site, with a real name server, nginx, certbot and authority: served alike or redirected, each
 * proven, all in one certificate. covers: DOM-02, DOM-05, DOM-07, DOM-08
 */
import type { DomainView } from '@quarterdeck/projections';
import { domainVerdict, lackedNames } from '@quarterdeck/projections';
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
const upstream = `require('http').createServer((q, r) => r.end('upstream saw ' + q.headers.host)).listen(${UPSTREAM}, '127.0.0.1')`;

type Refused = { data: Record<string, string> };
type Named = { name: string; does: 'serves' | 'redirects' };

if (lacking.length === 0) {
  let place: SitePlace;
  let world: World;
  let alice: Operator;
  let work: SiteWork;
  let acme: Acme;
  let server: string;
  let shop: string;
  const nameOf = (label: string) => `${label}.example.test`;
  const [main, www, alt, later] = [nameOf('shop'), nameOf('www'), nameOf('alt'), nameOf('later')];
  const redirecting: Named = { name: www, does: 'redirects' };
  const serving: Named = { name: alt, does: 'serves' };
  const latest: Named = { name: later, does: 'serves' };

  beforeAll(async () => {
    place = await startSitePlace({ packages: true });
    acme = await startAcme(place.host);
    await acme.trust();
    world = await openWorld({ env: { ...place.env, ACME_DIRECTORY_URL: acme.directoryUrl } });
    alice = await world.backend.signIn();
    work = siteWork(() => alice, place);
    await place.inside('chmod 755 /root');
    await place.inside(`${unpackLine('certbot')}
      systemd-run --quiet --collect --unit=upstream ${process.execPath} -e "${upstream}"`);
    server = await work.register();
    succeeded(await work.run('server/init', { id: server }));
    expect((await alice.post('workspace/dns', { resolvers: [], ttl: 60 })).status).toBe(200);
    shop = await work.domain('shop', server);
    await work.location(shop, { location: '/', url: `http://127.0.0.1:${UPSTREAM}` });
  });
  afterAll(async () => {
    await world?.end();
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
  const page = (name: string, path: string, ca?: string): Promise<Page> =>
    fetchPage({ host: place.host.host, name, path, ...(ca !== undefined && { ca }) });
  const setNames = (id: string, ...names: Named[]) => alice.post<Refused>('domain/names', { id, names });
  const pointHere = (name: string) => place.bind.change(`add ${name} 60 A ${place.host.host}`);
  const labels = (domain: DomainView): string[] =>
    domainVerdict(domain, { now: Date.now() }).reasons.map(({ label }) => label);
  /** The console does not trust the authority of this test. */
  const untrusted = ['certificate not valid'];
  const certbotSays = (): Promise<string> => place.inside('certbot certificates 2>/dev/null');
  const redirectOf = async (name: string, ca?: string) => {
    const { status, headers } = await page(name, '/a?b=c', ca);
    return [status, headers.location];
  };

  test('a name that does not point here is named, and nothing is ordered or spent', async () => {
    pointHere(alt);
    expect((await setNames(shop, redirecting, serving)).status).toBe(200);
    const named = await work.detail(shop);
    expect(named).toMatchObject({
      names: [redirecting, serving],
      dns: {
        pointsHere: true,
        names: [
          { name: www, outcome: 'none' },
          { name: alt, pointsHere: true },
        ],
      },
    });
    expect(labels(named)).toContain(`no DNS address: ${www}`);
    const { run } = await work.run('nginx/certbot', { id: shop });
    expect([run.state, run.code, run.steps.map(({ step }) => step)]).toEqual([
      'failed',
      'dns',
      ['preflight'],
    ]);
    expect(run.reason).toContain(www);
    expect((await work.detail(shop)).refusals).toEqual([]);
    pointHere(www);
    expect((await alice.post('domain/dns/check', { id: shop })).body).toMatchObject({
      names: [
        { name: www, pointsHere: true },
        { name: alt, pointsHere: true },
      ],
    });
  });

  test('over HTTP one name is served alike, and the other leads to the main one', async () => {
    const { out } = succeeded(await work.run('nginx/exec', { id: shop }));
    expect(out).not.toContain('Another site');
    expect((await page(alt, '/')).text).toBe(`upstream saw ${alt}`);
    expect(await redirectOf(www)).toEqual([301, `http://${main}/a?b=c`]);
    const proof = '/.well-known/quarterdeck-site';
    const proofs = await Promise.all([main, www, alt].map(async (name) => (await page(name, proof)).text));
    expect(new Set(proofs).size).toBe(1);
    expect(proofs[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  test('one certificate is for all names, and HTTPS leads where each name should', async () => {
    succeeded(await work.run('nginx/certbot', { id: shop }));
    const issued = await work.detail(shop);
    expect(issued.certificate?.names.toSorted()).toEqual([alt, main, www].toSorted());
    expect(labels(issued)).toEqual(untrusted);
    const root = await acme.root();
    expect((await page(alt, '/', root)).text).toBe(`upstream saw ${alt}`);
    expect(await redirectOf(alt)).toEqual([301, `https://${alt}/a?b=c`]);
    expect(await redirectOf(www)).toEqual([301, `https://${main}/a?b=c`]);
    expect(await redirectOf(www, root)).toEqual([301, `https://${main}/a?b=c`]);
  });

  test('a name that is added later is missing in the certificate until it is applied and ordered', async () => {
    pointHere(later);
    await setNames(shop, redirecting, serving, latest);
    const lacking = await work.detail(shop);
    expect(lackedNames(lacking)).toEqual([later]);
    const refused = await alice.post<Refused>('nginx/certbot', { id: shop });
    expect([refused.status, refused.body.data['id']]).toEqual([
      400,
      `the live configuration does not answer for ${later} yet: apply the configuration first`,
    ]);
    const serial = lacking.certificate?.serial;
    succeeded(await work.run('nginx/exec', { id: shop }));
    succeeded(await work.run('nginx/certbot', { id: shop }));
    const whole = await work.detail(shop);
    expect(whole.certificate?.serial).not.toBe(serial);
    expect(whole.certificate?.names).toHaveLength(4);
    expect([lackedNames(whole), labels(whole)]).toEqual([[], untrusted]);
    expect((await page(later, '/', await acme.root())).text).toBe(`upstream saw ${later}`);
    expect((await certbotSays()).match(/Certificate Name: .*/g)).toEqual([`Certificate Name: ${main}`]);
  });

  test('the SSL monitor sees a name that the served certificate lacks', async () => {
    pointHere(nameOf('fifth'));
    await setNames(shop, redirecting, serving, latest, { name: nameOf('fifth'), does: 'serves' });
    const { body: started } = await alice.post<{ runId: string }>('ssl/run', { checkOnly: true });
    await work.ended(started.runId);
    const { body: checks } = await alice.post<object[]>('ssl/checks', { id: started.runId });
    expect(checks).toEqual([
      expect.objectContaining({ serverName: main, found: expect.objectContaining({ valid: false }) }),
    ]);
    await setNames(shop, redirecting, serving, latest);
  });

  test('no other domain gets one of the names, and the row is named', async () => {
    const taken = await alice.post<Refused>('domain/insert', { serverName: www, server: { id: server } });
    expect([taken.status, Object.keys(taken.body.data)]).toEqual([400, ['serverName']]);
    const other = await work.domain('other', server);
    const row = await setNames(other, { name: nameOf('free'), does: 'serves' }, redirecting);
    expect([row.status, Object.keys(row.body.data)]).toEqual([400, ['names.1.name']]);
    // The same after the claims were made anew from the read models, as after a restore.
    const { db, resources } = world.backend;
    await db.query(`delete from app.claims where scope like 'domain-name:%'`);
    const client = await db.connect();
    const names = resources.claims.owners.find(({ name }) => name === 'domain-name');
    await names?.remake(client);
    client.release();
    expect((await setNames(other, redirecting)).status).toBe(400);
    // The refusal reserved nothing.
    expect((await setNames(shop, redirecting, serving, latest)).status).toBe(200);
    const wrong = async (name: string) =>
      Object.keys((await setNames(other, { name, does: 'serves' })).body.data);
    for (const name of ['https://a.test', '*.a.test', 'a.test:80', main])
      expect(await wrong(name)).toEqual(['names.0.name']);
    expect((await setNames(other, { name: 'Bücher.example.', does: 'serves' })).status).toBe(200);
    expect((await work.detail(other)).names).toEqual([{ name: 'xn--bcher-kva.example', does: 'serves' }]);
    expect((await alice.post('domain/delete', { id: other })).status).toBe(200);
    // A deleted domain has no names.
    expect(
      (await setNames(shop, redirecting, serving, latest, { name: 'xn--bcher-kva.example', does: 'serves' }))
        .status,
    ).toBe(200);
    await setNames(shop, redirecting, serving, latest);
  });

  test('a site of somebody else that has one of the names is found before and after an apply', async () => {
    const busy = nameOf('busy');
    pointHere(busy);
    const theirs = '/etc/nginx/conf.d/theirs.conf';
    await place.inside(
      `echo 'server { listen 80; server_name ${busy}; return 418; }' > ${theirs}; nginx -s reload`,
    );
    await setNames(shop, redirecting, serving, latest, { name: busy, does: 'serves' });
    const { run: refused } = await work.run('nginx/exec', { id: shop });
    expect([refused.code, refused.steps.at(-1)?.report?.['field']]).toEqual(['nameTaken', 'names.3.name']);
    expect(refused.reason).toContain(busy);
    // A `listen` with an address takes the name without a warning of nginx. The other names are passed on to us.
    const passed = 'location / { proxy_pass http://127.0.0.2; proxy_set_header Host $host; }';
    await place.inside(
      `cat > ${theirs} <<'END'
server { listen 127.0.0.1:80; server_name ${busy}; return 418; }
server { listen 127.0.0.1:80; server_name ${[main, www, alt, later].join(' ')}; ${passed} }
END
      nginx -s reload`,
    );
    const { run: taken } = await work.run('nginx/exec', { id: shop });
    expect([taken.state, taken.code]).toEqual(['failed', 'anotherSite']);
    expect(taken.reason).toContain(`127.0.0.1, port 80 for ${busy}`);
    expect((await work.detail(shop)).answer).toMatchObject({
      is: 'another',
      says: expect.stringContaining(busy),
    });
    await place.inside(`rm ${theirs}; nginx -s reload`);
    succeeded(await work.run('nginx/exec', { id: shop }));
    expect((await work.detail(shop)).answer?.is).toBe('answers');
  });

  test('names that are taken away leave the certificate with the next order, which stays the console’s own', async () => {
    await setNames(shop, redirecting);
    succeeded(await work.run('nginx/exec', { id: shop }));
    succeeded(await work.run('nginx/certbot', { id: shop, force: true }));
    const less = await work.detail(shop);
    expect(less.certificate?.names.toSorted()).toEqual([main, www].toSorted());
    expect((await certbotSays()).match(/Certificate Name: .*/g)).toEqual([`Certificate Name: ${main}`]);
    const other = await alice.post<{ id: string }>('domain/insert', {
      serverName: alt,
      server: { id: server },
    });
    expect(other.status).toBe(200);
  });

  test('a certificate with several names of somebody else offers them, and is adopted with them', async () => {
    const [theirs, also] = [nameOf('theirs'), nameOf('also')];
    pointHere(also);
    const id = await work.domain('theirs', server);
    await place.inside(
      `mkdir -p /srv/san
      echo 'server { listen 80; server_name ${theirs} ${also}; root /srv/san; }' > /etc/nginx/conf.d/san.conf
      nginx -s reload
      until curl -s -o /dev/null -H 'Host: ${also}' http://127.0.0.1/; do sleep 0.1; done
      certbot certonly -n --cert-name ${theirs} -d ${theirs} -d ${also} --webroot -w /srv/san --server ${acme.directoryUrl} \
        --agree-tos --register-unsafely-without-email
      rm /etc/nginx/conf.d/san.conf; nginx -s reload`,
    );
    const { body: found } = await alice.post<{ is: string; names: string[] }>('nginx/lineage', { id });
    expect([found.is, found.names.toSorted()]).toEqual(['theirs', [also, theirs].toSorted()]);
    expect((await setNames(id, { name: also, does: 'serves' })).status).toBe(200);
    succeeded(await work.run('nginx/certbot', { id, lineage: { take: 'adopt', webroot: '/srv/san' } }));
    const adopted = await work.detail(id);
    expect(adopted.certificate).toMatchObject({ lineage: { name: theirs, adopted: expect.anything() } });
    expect(lackedNames(adopted)).toEqual([]);
    expect((await page(also, '/', await acme.root())).status).toBe(404);
  });

  test('a deleted domain gives all its names free, and takes them back when it is restored', async () => {
    const removed = succeeded(await work.run('domain/delete', { id: shop, serverName: main }));
    expect(await certbotSays()).not.toContain(`Certificate Name: ${main}`);
    const taker = await work.domain('taker', server);
    expect((await setNames(taker, redirecting)).status).toBe(200);
    const { rows } = await world.backend.db.query<{ position: string }>(
      `select position::text from log.events where stream = $1 and type = 'DomainRemoved'`,
      [`domain-${shop}`],
    );
    const { position } = rows[0] ?? {};
    const previewed = async () =>
      (await alice.post<{ seen: string; refused?: string }>('history/undo/preview', { position })).body;
    expect([removed.run.state, (await previewed()).refused]).toEqual([
      'succeeded',
      'a domain with this name already exists',
    ]);
    expect((await setNames(taker)).status).toBe(200);
    const { seen } = await previewed();
    const undone = await alice.post('history/undo', { position, seen });
    expect([undone.status, (await work.detail(shop)).names]).toEqual([200, [redirecting]]);
    const again = await setNames(taker, redirecting);
    expect([again.status, Object.keys(again.body.data)]).toEqual([400, ['names.0.name']]);
  });
}
