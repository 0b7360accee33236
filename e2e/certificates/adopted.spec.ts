/**
 * Certificates that were on a server before the console, damaged folders of certbot, and accounts that the authority has
 * forgotten, through the calls of the console. covers: DOM-08, DOM-12
 */
import { X509Certificate } from 'node:crypto';
import { openWorld, type World } from '../backend/world';
import { acmeLacks, startAcme, type Acme } from '../../testing/acme';
import type { Operator } from '../../testing/backend';
import { unpackLine } from '../../testing/debian-packages';
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

const L = '/etc/letsencrypt';

if (lacking.length === 0) {
  let place: SitePlace;
  let world: World;
  let alice: Operator;
  let work: SiteWork;
  let acme: Acme;
  let server: string;

  beforeAll(async () => {
    place = await startSitePlace({ packages: true });
    world = await openWorld({ env: { ...place.env, ACME_DIRECTORY_URL: 'https://localhost:14000/dir' } });
    alice = await world.backend.signIn();
    work = siteWork(() => alice, place);
    await place.inside('chmod 755 /root');
    acme = await startAcme(place.host);
    await acme.trust();
    await place.inside(unpackLine('certbot', 'curl'));
    server = await work.register();
    expect((await work.run('server/init', { id: server })).run.state).toBe('succeeded');
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
  const leafOf = async (name: string): Promise<X509Certificate> =>
    new X509Certificate(await place.inside(`cat ${L}/live/${name}/cert.pem`));
  const lookAt = async (id: string): Promise<object> =>
    (await alice.post<object>('nginx/lineage', { id })).body;
  /** How many certificates for exactly these names the authority would still issue. */
  const left = async (id: string): Promise<string> =>
    (await alice.post<{ budget: { words: string } }>('domain/renewal', { id })).body.budget.words;
  /** SHA-256 of the configuration that goes live with the choice. */
  const reviewed = async (lineage: object): Promise<string> => {
    const options = { docker: false, ssl: true, gzip: false };
    const { body } = await alice.post<{ sha256: string }>('nginx/generate', { id, options, lineage });
    return body.sha256;
  };
  const san = 'san.example.test';
  const www = `www.${san}`;
  /** A site and a certificate for two names, made by hand (certbot#4410). */
  const handMade = async (): Promise<void> => {
    place.bind.change(`add ${www} 60 A ${place.host.host}`);
    await place.inside(
      `mkdir -p /srv/san
      echo 'server { listen 80; server_name ${san} ${www}; root /srv/san; }' > /etc/nginx/conf.d/san.conf
      nginx -s reload
      until curl -s -o /dev/null -H 'Host: ${www}' http://127.0.0.1/; do sleep 0.1; done
      certbot certonly -n --cert-name ${san} -d ${san} -d ${www} --webroot -w /srv/san --server ${acme.directoryUrl} \
        --agree-tos --register-unsafely-without-email --deploy-hook 'echo ran >> /srv/their-hook'`,
    );
  };

  let id: string;
  test('a certificate of somebody else is left alone until the operator has chosen', async () => {
    await handMade();
    id = await work.domain('san', server);
    const before = (await leafOf(san)).fingerprint256;
    for (const force of [false, true]) {
      const { run } = await work.run('nginx/certbot', { id, force });
      expect([run.state, run.code, run.steps.map(({ step }) => step)]).toEqual([
        'failed',
        'theirs',
        ['preflight', 'lineage'],
      ]);
      expect(run.reason).toContain(
        `It is for ${san} ${www}, and certbot renews it with webroot and runs: echo`,
      );
    }
    expect((await leafOf(san)).fingerprint256).toBe(before);
    expect(await lookAt(id)).toEqual({
      is: 'theirs',
      name: san,
      own: `quarterdeck-${san}`,
      wrong: expect.stringContaining('was not made by this console'),
      names: [san, www],
      authenticator: 'webroot',
      webroot: '/srv/san',
      hooks: 'echo ran >> /srv/their-hook',
    });
  });

  test('an adopted certificate keeps its names, its proof and its hook when it is renewed', async () => {
    await place.inside(
      `echo 'server { listen 80; server_name ${www}; root /srv/san; }' > /etc/nginx/conf.d/san.conf && nginx -s reload`,
    );
    const lineage = { take: 'adopt', webroot: '/srv/san' };
    const serial = (await leafOf(san)).serialNumber;
    const adopted = succeeded(await work.run('nginx/certbot', { id, lineage }));
    expect(adopted.run.steps.map(({ step }) => step)).toEqual([
      'preflight',
      'lineage',
      'certbot',
      'record',
      'folders2',
      'install',
      'served',
    ]);
    const view = await work.detail(id);
    expect(view).toMatchObject({
      certificate: {
        serial,
        names: [san, www],
        lineage: { name: san, adopted: { authenticator: 'webroot', webroot: '/srv/san' } },
      },
      served: { served: { serial } },
    });
    expect(view.config?.text).toContain('root "/srv/san";');

    const settings = await place.inside(`cat ${L}/renewal/${san}.conf`);
    succeeded(await work.run('nginx/certbot', { id, force: true }));
    const renewed = await work.detail(id);
    expect(renewed.certificate?.serial).not.toBe(serial);
    expect(renewed.certificate).toMatchObject({ names: [san, www], lineage: view.certificate?.lineage });
    expect(await place.inside(`cat ${L}/renewal/${san}.conf`)).toBe(settings);
    expect(await place.inside('cat /srv/their-hook')).toBe('ran\nran\n');
  });

  test('removing an adopted certificate leaves it on the server, unless its name is typed', async () => {
    const wrong = await alice.post<{ data: object }>('nginx/certbot-rm', { id, lineage: 'san' });
    expect([wrong.status, wrong.body.data]).toEqual([
      400,
      { lineage: `the certificate is called ${san} on its server: type that to delete it` },
    ]);
    const serial = (await leafOf(san)).serialNumber;
    succeeded(await work.run('nginx/certbot-rm', { id }));
    expect((await work.detail(id)).certificate).toBeUndefined();
    expect((await leafOf(san)).serialNumber).toBe(serial);

    const lineage = { take: 'adopt', webroot: '/srv/san' };
    succeeded(await work.run('nginx/certbot', { id, lineage, seen: await reviewed(lineage) }));
    succeeded(await work.run('nginx/certbot-rm', { id, lineage: san }));
    expect(await place.inside(`ls ${L}/live`)).not.toContain(san);
  });

  test('beside a certificate of somebody else, the console has one under a name of its own', async () => {
    succeeded(await work.run('nginx/remove', { id }));
    await handMade();
    await place.inside(
      `echo 'server { listen 80; server_name ${www}; root /srv/san; }' > /etc/nginx/conf.d/san.conf && nginx -s reload`,
    );
    const theirs = (await leafOf(san)).fingerprint256;
    const seen = await reviewed({ take: 'own' });
    succeeded(await work.run('nginx/certbot', { id, lineage: { take: 'own' }, seen }));
    expect((await work.detail(id)).config?.text).toContain(`${L}/live/quarterdeck-${san}/fullchain.pem`);
    const own = await leafOf(`quarterdeck-${san}`);
    expect(await work.detail(id)).toMatchObject({
      certificate: { serial: own.serialNumber, names: [san], lineage: { name: `quarterdeck-${san}` } },
      served: { served: { serial: own.serialNumber } },
    });
    succeeded(await work.run('nginx/certbot', { id, force: true }));
    expect((await leafOf(`quarterdeck-${san}`)).serialNumber).not.toBe(own.serialNumber);
    expect((await leafOf(san)).fingerprint256).toBe(theirs);
    succeeded(await work.run('domain/delete', { id, serverName: san }));
    const kept = await place.inside(`ls ${L}/live`);
    expect([kept.includes(`quarterdeck-${san}`), kept.includes(san)]).toEqual([false, true]);
  });

  test('a damaged folder stops orders and removal, and the operator learns why', async () => {
    const copied = await work.domain('copied', server);
    const name = 'copied.example.test';
    succeeded(await work.run('nginx/certbot', { id: copied }));
    const served = (await work.detail(copied)).certificate?.serial;
    await place.inside(
      `cp -rL ${L}/live/${name} /tmp/x && rm -r ${L}/live/${name} && mv /tmp/x ${L}/live/${name}`,
    );
    const before = await left(copied);
    for (const force of [false, true]) {
      const { run } = await work.run('nginx/certbot', { id: copied, force });
      expect([run.state, run.code, run.steps.at(-1)?.step]).toEqual(['failed', 'brokenLineage', 'lineage']);
      expect(run.reason).toContain(`${L}/live/${name} holds copies instead of links`);
    }
    const { run: removal } = await work.run('nginx/certbot-rm', { id: copied });
    expect([removal.state, removal.code]).toEqual(['failed', 'brokenLineage']);
    expect(await left(copied)).toBe(before);
    expect(await place.inside(`ls ${L}/live`)).not.toContain(`${name}-0001`);

    // The way out without a repair. The removal above has put the site back on plain HTTP.
    const options = { docker: false, ssl: true, gzip: false };
    succeeded(await work.run('nginx/certbot', { id: copied, options, lineage: { take: 'own' } }));
    const now = await work.detail(copied);
    expect(now.certificate?.serial).not.toBe(served);
    expect(now.served?.served?.serial).toBe(now.certificate?.serial);
  });

  test('an order that certbot stored elsewhere fails, and counts against the limits', async () => {
    const astray = await work.domain('astray', server);
    const name = 'astray.example.test';
    await place.inside(`echo 'pre-hook = touch ${L}/renewal/${name}.conf' > ${L}/cli.ini`);
    const { run } = await work.run('nginx/certbot', { id: astray });
    await place.inside(`rm ${L}/cli.ini`);
    expect([run.state, run.code, run.steps.at(-1)?.step]).toEqual(['failed', 'wasted', 'certbot']);
    expect(run.reason).toContain(`${L}/live/${name}-0001`);
    expect((await work.detail(astray)).refusals).toMatchObject([{ wasted: true, names: [name] }]);
    expect((await work.detail(astray)).certificate).toBeUndefined();
    expect(await left(astray)).toContain(`4 of 5 certificates for exactly ${name}`);
  });

  test('an account that the authority has forgotten is named, and replaced on request', async () => {
    await acme.stop();
    await acme.start();
    const fresh = await work.domain('fresh', server);
    const { run } = await work.run('nginx/certbot', { id: fresh });
    expect([run.state, run.code]).toEqual(['failed', 'accountDoesNotExist']);
    expect(run.reason).toContain('no longer knows the account of this server');
    expect((await work.detail(fresh)).refusals).toMatchObject([
      { problem: 'urn:ietf:params:acme:error:accountDoesNotExist' },
    ]);
    succeeded(await work.run('nginx/certbot', { id: fresh, newAccount: true }));
    expect((await work.detail(fresh)).certificate).toMatchObject({ names: ['fresh.example.test'] });
  });
}
