/**
 * The console is killed while it creates a droplet, also between a call and its record, and while it refreshes a token.
 * Nothing is made twice, no key stays at the provider, and what is lost is said. covers: CLOUD-01, CLOUD-03
 */
import type { Answer, cloud as calls } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { bootThrowaway } from '../../testing/digitalocean/machine';
import { until } from '../../testing/patience';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import { CHANGES } from './ground';
import { hasEnded, type KilledConsole, startKilledConsole } from './killed-console';

const lacking = throwawayHostLacks();
needs('this machine can bring up throw-away servers', lacking);

if (lacking.length === 0) {
  let killed: KilledConsole;

  beforeAll(async () => {
    killed = await startKilledConsole();
    Object.assign(killed.cloud.account, { boot: bootThrowaway, looks: 0 });
  });
  afterAll(() => killed?.end());
  afterEach(async () => {
    const { cloud } = killed;
    cloud.feel({ is: 'well' });
    for (const id of cloud.account.droplets.keys()) await cloud.account.removeDroplet(id);
    expect(cloud.undescribed.splice(0)).toEqual([]);
  });

  const creation = (name: string) => ({ path: 'digitalocean/droplet/create', input: { name } });
  /** An operator retries what the console does not know. */
  const settled = async (id: string): Promise<RunView> => {
    const run = await killed.ended(id);
    if (run.state === 'succeeded') return run;
    expect(run).toMatchObject({ state: 'failed', code: 'unknownOutcome' });
    expect((await killed.ada.post('run/retry', { id })).status).toBe(200);
    return killed.ended(id);
  };
  const expectOne = async (name: string, id: string): Promise<void> => {
    const { account } = killed.cloud;
    expect([...account.droplets.values()].filter((one) => one.name === name)).toHaveLength(1);
    const { body } = await killed.ada.get<Answer<typeof calls.dropletList>>('digitalocean/droplet/list');
    expect(body.filter((one) => one.name === name)).toMatchObject([{ status: 'active', run: id }]);
  };

  test('killed before an answer, each creation goes on with what is there, or asks again only for an operator', async () => {
    const { cloud } = killed;
    const parked = new Map<string, string>();
    cloud.calls.length = 0;
    for (const [name, mood, call] of [
      ['created', 'silent', 'POST /v2/droplets'],
      ['never-arrived', 'hanging', 'POST /v2/droplets'],
      ['active', 'silent', 'GET /v2/actions/'],
      ['key-removed', 'silent', 'DELETE /v2/account/keys'],
      // Last, because a call waits for its answer for a while only: these go on differently afterwards.
      ['created-afterwards', 'waiting', 'POST /v2/droplets'],
      ['key-registered', 'silent', 'POST /v2/account/keys'],
    ] as const)
      parked.set(name, await killed.parked(mood, call, creation(name)));
    await killed.kill();

    const asked = (path: string) => cloud.calls.filter((one) => one === `POST /v2/${path}`).length;
    const lost = parked.get('never-arrived') ?? '';
    for (const [name, id] of parked) {
      if (id === lost) continue;
      expect([name, (await killed.ended(id)).state]).toEqual([name, 'succeeded']);
      await expectOne(name, id);
    }
    expect(await killed.ended(lost)).toMatchObject({ state: 'failed', code: 'unknownOutcome' });
    // Each has asked once.
    expect([asked('account/keys'), asked('droplets')]).toEqual([parked.size, parked.size]);
    expect((await settled(lost)).state).toBe('succeeded');
    expect(asked('droplets')).toBe(parked.size + 1);
    await expectOne('never-arrived', lost);
    expect([...cloud.account.keys.values()]).toEqual([]);
  });

  test('killed after 1, 2, 3 and more calls of one creation, and at both steps on the machine', async () => {
    const { cloud } = killed;
    const detail = async (id: string): Promise<RunView> =>
      (await killed.ada.post<RunView>('run/detail', { id })).body;
    const id = await killed.start(creation('many-times'));
    for (const calls of [1, 2, 3, 5]) {
      const before = cloud.calls.length;
      await until(async () => cloud.calls.length >= before + calls || hasEnded(await detail(id)));
      await killed.kill();
    }
    for (const step of ['signIn', 'hostKey']) {
      await until(async () => {
        const run = await detail(id);
        return hasEnded(run) || run.steps.some((one) => one.step === step);
      });
      await killed.kill();
    }
    expect((await settled(id)).state).toBe('succeeded');
    await expectOne('many-times', id);
    expect([...cloud.account.keys.values()]).toEqual([]);
  });

  test('killed between the answer to a refresh and the vault, it says so, and a new sign-in mends it', async () => {
    const { ada, cloud } = killed;
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
    await killed.kill();
    await cut;
    expect((await look()).problem).toContain('does not accept the token');
    expect((await account())?.refused).toContain('connect the account again');
    await signedIn();
    expect((await look()).problem).toBeUndefined();
    expect((await account())?.refused).toBeUndefined();
  });
}
