// covers: DOM-08
import { broken } from '../certificates/broken-lineages';
import { acmeLacks, startAcme } from '../../testing/acme';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { unpackLine } from '../../testing/debian-packages';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import { siteServerSetUp } from '../webserver/site-set-up';
import { siteWork, startSitePlace, type SitePlace, type SiteWork } from '../webserver/site-ground';
import { fault } from './fault';

const lacking = [...setupTestsLack(['certbot', 'curl', 'nginx']), ...acmeLacks()];
needs('this machine can bring up throw-away servers with certbot and an authority', lacking);

const L = '/etc/letsencrypt';

if (lacking.length === 0) {
  let place: SitePlace;
  let postgres: TestPostgres;
  let backend: BackendProcess;
  let alice: Operator;
  let work: SiteWork;
  let server: string;

  const start = async (): Promise<void> => {
    const env = { ...place.env, ACME_DIRECTORY_URL: 'https://localhost:14000/dir', LOG_LEVEL: 'error' };
    backend = await spawnBackend({ databaseUrl: postgres.url, env });
    alice = alice ? operator(backend.url, alice.cookie) : await signIn(backend.url, backend.signInLink);
  };
  beforeAll(async () => {
    [place, postgres] = await Promise.all([startSitePlace({ packages: true }), startTestPostgres()]);
    await start();
    work = siteWork(() => alice, place);
    await place.inside(`${siteServerSetUp}\n${unpackLine('certbot', 'curl')}`);
    await (await startAcme(place.host)).trust();
    server = await work.register();
  });
  afterAll(async () => {
    await backend?.kill('SIGKILL');
    await postgres?.stop();
    await place?.stop();
  });

  const budget = async (id: string): Promise<string> =>
    (await alice.post<{ budget: { words: string } }>('domain/renewal', { id })).body.budget.words;

  let whole: string | undefined;
  fault({
    fault: `a folder of certbot damaged in one of ${broken.length} ways`,
    must: 'an order is refused with the reason, and none is spent',
    trial: async (turn) => {
      const name = 'damaged.example.test';
      if (whole === undefined) {
        whole = await work.domain('damaged', server);
        expect((await work.run('nginx/certbot', { id: whole })).run.state).toBe('succeeded');
      }
      const [what, damage, words] = broken[turn % broken.length] ?? ['', () => '', /^$/];
      await place.inside(`rm -rf /root/kept; cp -a ${L} /root/kept; ${damage(name)}`);
      const [before, left] = [await place.inside(`find ${L} | sort`), await budget(whole)];
      const { run } = await work.run('nginx/certbot', { id: whole, force: true });
      expect([run.state, run.code, run.reason]).toEqual([
        'failed',
        'brokenLineage',
        expect.stringMatching(words),
      ]);
      expect([await place.inside(`find ${L} | sort`), await budget(whole)]).toEqual([before, left]);
      await place.inside(`rm -r ${L} && mv /root/kept ${L}`);
      return what;
    },
  });

  fault({
    fault: 'the back end killed while certbot stores a certificate beside the one of the site',
    must: 'its successor reports the failure, and counts the order',
    // Each trial costs one of the fifty certificates that the authority issues in a week.
    share: 0.1,
    trial: async (turn) => {
      const label = `killed-${turn}`;
      const id = await work.domain(label, server);
      const name = `${label}.example.test`;
      await place.inside(`echo 'pre-hook = touch ${L}/renewal/${name}.conf' > ${L}/cli.ini`);
      const { body } = await alice.post<{ runId: string }>('nginx/certbot', { id });
      await work.begun(body.runId, 'certbot');
      await backend.kill('SIGKILL');
      await start();
      const { run } = await work.ended(body.runId);
      await place.inside(`rm ${L}/cli.ini`);
      expect([run.state, run.code, run.reason]).toEqual([
        'failed',
        'wasted',
        expect.stringContaining(`${L}/live/${name}-0001`),
      ]);
      expect((await work.detail(id)).refusals).toMatchObject([{ wasted: true, names: [name] }]);
      expect(await budget(id)).toContain(`4 of 5 certificates for exactly ${name}`);
    },
  });
}
