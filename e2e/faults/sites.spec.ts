/** The proof of an apply, while the back end is killed. covers: DOM-07, SRV-14 */
import { siteStateOf } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { spawnBackend, type BackendProcess } from '../../testing/backend-process';
import { operator, type Operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import { siteWork, startSitePlace, type SitePlace, type SiteWork } from '../webserver/site-ground';
import { siteServerSetUp } from '../webserver/site-set-up';
import { fault } from './fault';

const lacking = setupTestsLack(['nginx']);
needs('this machine can bring up throw-away servers with nginx', lacking);

if (lacking.length === 0) {
  let place: SitePlace;
  let postgres: TestPostgres;
  let backend: BackendProcess;
  let alice: Operator;
  let work: SiteWork;
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
    app = await work.domain('app', await work.register());
    await work.location(app, { location: '/' });
  });
  afterAll(async () => {
    await backend?.stop();
    await place?.stop();
    await postgres?.stop();
  });

  const HAND = '/etc/nginx/conf.d/hand.conf';

  fault({
    fault:
      'the back end killed during the proof of an apply, with a foreign listen that takes the name and without',
    must: 'the next one finishes the run, green only where our own file answers',
    share: 0.1,
    trial: async (turn) => {
      const step = ['probe', 'prove', 'answer'][turn % 3] ?? 'prove';
      for (const taken of [true, false]) {
        await place.inside(
          taken
            ? `echo 'server { listen 127.0.0.1:80 default_server; return 200 panel; }' > ${HAND}; nginx -t && systemctl restart nginx`
            : `rm -f ${HAND}; systemctl restart nginx`,
        );
        const runId = uuidv7();
        expect((await alice.post('nginx/exec', { id: app, runId })).status).toBe(200);
        await work.begun(runId, step);
        await backend.kill('SIGKILL');
        backend = await start();
        alice = operator(backend.url, alice.cookie);
        const { run } = await work.ended(runId);
        expect([run.state, run.code]).toEqual(taken ? ['failed', 'anotherSite'] : ['succeeded', undefined]);
        expect(siteStateOf(await work.detail(app))).toBe(taken ? 'another' : 'answers');
      }
      return `at step ${step}`;
    },
  });
}
