/**
 * The console is killed while it creates a droplet, also between a call and its record, and while it refreshes a token.
 * Nothing is made twice, no key stays at the provider, and what is lost is said. covers: CLOUD-01, CLOUD-03
 */
import { randomUUID } from 'node:crypto';
import type { Answer, cloud as calls } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { startDigitalOcean, type DigitalOceanMood, type DigitalOceanPeer } from '../../testing/digitalocean';
import { bootThrowaway } from '../../testing/digitalocean/machine';
import { until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import { CHANGES } from './ground';

const lacking = throwawayHostLacks();
needs('this machine can bring up throw-away servers', lacking);

if (lacking.length === 0) {
  let cloud: DigitalOceanPeer;
  let postgres: TestPostgres;
  let backend: BackendProcess;
  let ada: Operator;

  const start = async (port = 0): Promise<void> => {
    backend = await spawnBackend({ databaseUrl: postgres.url, port, env: cloud.env });
  };
  const killed = async (): Promise<void> => {
    await backend.kill('SIGKILL');
    cloud.go();
    await start(Number(new URL(backend.url).port));
  };

  beforeAll(async () => {
    [cloud, postgres] = await Promise.all([startDigitalOcean(), startTestPostgres({ own: true })]);
    // Tests make more calls in a minute than a person.
    Object.assign(cloud.limits, { minute: 100_000, hour: 100_000, keyLists: 100_000 });
    Object.assign(cloud.account, { boot: bootThrowaway, looks: 0 });
    await start();
    ada = await signIn(backend.url, backend.signInLink);
    expect((await ada.post('digitalocean/token/update', { token: cloud.token })).status).toBe(200);
  });
  afterAll(async () => {
    cloud?.go();
    await backend?.stop();
    await Promise.all([cloud?.stop(), postgres?.stop()]);
  });
  afterEach(async () => {
    cloud.feel({ is: 'well' });
    for (const id of cloud.account.droplets.keys()) await cloud.account.removeDroplet(id);
    expect(cloud.undescribed.splice(0)).toEqual([]);
  });

  const detail = async (id: string): Promise<RunView> => (await ada.post<RunView>('run/detail', { id })).body;
  const hasEnded = ({ state }: RunView): boolean =>
    ['succeeded', 'failed', 'interrupted', 'cancelled'].includes(state);
  const ended = async (id: string): Promise<RunView> => {
    await until(async () => hasEnded(await detail(id)));
    return detail(id);
  };
  const creation = async (name: string): Promise<string> => {
    const { status, body } = await ada.post<{ runId: string }>('digitalocean/droplet/create', {
      runId: randomUUID(),
      name,
    });
    expect(status).toBe(200);
    return body.runId;
  };
  /** An operator retries what the console does not know. */
  const settled = async (id: string): Promise<RunView> => {
    const run = await ended(id);
    if (run.state === 'succeeded') return run;
    expect(run).toMatchObject({ state: 'failed', code: 'unknownOutcome' });
    expect((await ada.post('run/retry', { id })).status).toBe(200);
    return ended(id);
  };
  const expectOne = async (name: string, id: string): Promise<void> => {
    const { account } = cloud;
    expect([...account.droplets.values()].filter((one) => one.name === name)).toHaveLength(1);
    expect([...account.keys.values()]).toEqual([]);
    const { body } = await ada.get<Answer<typeof calls.dropletList>>('digitalocean/droplet/list');
    expect(body.filter((one) => one.name === name)).toMatchObject([{ status: 'active', run: id }]);
  };

  test.each<[string, DigitalOceanMood['is'] & ('silent' | 'waiting'), string]>([
    ['the key was registered', 'silent', 'POST /v2/account/keys'],
    ['the droplet was created', 'silent', 'POST /v2/droplets'],
    ['the droplet is created only afterwards', 'waiting', 'POST /v2/droplets'],
    ['the droplet became active', 'silent', 'GET /v2/actions/'],
    ['the key was removed', 'silent', 'DELETE /v2/account/keys'],
  ])('killed before the answer that %s (%s), it goes on with what is there', async (_, is, call) => {
    const name = `killed-${randomUUID()}`;
    cloud.calls.length = 0;
    cloud.feel({ is }, call, 1);
    const id = await creation(name);
    await until(() => cloud.calls.some((one) => one.startsWith(call)));
    await killed();
    expect((await ended(id)).state).toBe('succeeded');
    await expectOne(name, id);
  });

  test('killed before a request arrives, it does not ask again until an operator retries', async () => {
    cloud.calls.length = 0;
    cloud.feel({ is: 'hanging' }, 'POST /v2/droplets', 1);
    const asked = () => cloud.calls.filter((one) => one === 'POST /v2/droplets');
    const id = await creation('unknown');
    await until(() => asked().length === 1);
    await killed();
    expect(await ended(id)).toMatchObject({ state: 'failed', code: 'unknownOutcome' });
    expect(asked()).toHaveLength(1);
    expect((await settled(id)).state).toBe('succeeded');
    await expectOne('unknown', id);
  });

  test('killed after 1, 2, 3 and more calls of one creation, and at both steps on the machine', async () => {
    const id = await creation('many-times');
    for (const calls of [1, 2, 3, 5]) {
      const before = cloud.calls.length;
      await until(async () => cloud.calls.length >= before + calls || hasEnded(await detail(id)));
      await killed();
    }
    for (const step of ['signIn', 'hostKey']) {
      await until(async () => {
        const run = await detail(id);
        return hasEnded(run) || run.steps.some((one) => one.step === step);
      });
      await killed();
    }
    expect((await settled(id)).state).toBe('succeeded');
    await expectOne('many-times', id);
  });

  test('killed between the answer to a refresh and the vault, it says so, and a new sign-in mends it', async () => {
    const account = async () =>
      (await ada.get<Answer<typeof calls.exists>>('digitalocean/token/exists')).body.account;
    const signedIn = async (): Promise<void> => {
      const { body } = await ada.get<{ url: string }>('digitalocean/url', CHANGES);
      const back = Object.fromEntries(cloud.oauth.agree(body.url));
      expect((await ada.post('digitalocean/redirect', back)).status).toBe(200);
    };
    const look = async () => (await ada.post<Answer<typeof calls.refresh>>('digitalocean/refresh', {})).body;
    await signedIn();
    for (const held of cloud.oauth.tokens.values()) held.isExpired = held.refresh !== undefined;
    cloud.calls.length = 0;
    cloud.feel({ is: 'silent' }, 'POST /v1/oauth/token', 1);
    const cut = look().catch(() => undefined);
    await until(() => cloud.calls.includes('POST /v1/oauth/token'));
    await killed();
    await cut;
    expect((await look()).problem).toContain('does not accept the token');
    expect((await account())?.refused).toContain('connect the account again');
    await signedIn();
    expect((await look()).problem).toBeUndefined();
    expect((await account())?.refused).toBeUndefined();
  });
}
