/** A droplet is created as a run, on a machine with cloud-init's effect. covers: CLOUD-03 */
import { randomUUID } from 'node:crypto';
import type { DropletView } from '@quarterdeck/projections';
import { bootThrowaway, type BootedMachine } from '../../testing/digitalocean/machine';
import { until } from '../../testing/patience';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import { connect, ended, type Ground, openGround, outcomes, performed } from './ground';

const lacking = throwawayHostLacks();
needs('this machine can bring up throw-away servers', lacking);

const WHOLE = ['keys', 'registerKey', 'createDroplet', 'awaitDroplet', 'removeKey', 'signIn', 'hostKey'].map(
  (step) => `${step} succeeded`,
);

if (lacking.length === 0) {
  let ground: Ground;
  const machines: BootedMachine[] = [];
  beforeAll(async () => {
    ground = await openGround();
    ground.cloud.account.boot = async (given) => {
      const machine = await bootThrowaway(given);
      machines.push(machine);
      return machine;
    };
    await connect(ground);
  });
  afterAll(() => ground?.end());
  beforeEach(() => ground.cloud.feel({ is: 'well' }));
  afterEach(() => expect(ground.cloud.undescribed.splice(0)).toEqual([]));

  const listed = async (): Promise<DropletView[]> =>
    (await ground.ada.get<DropletView[]>('digitalocean/droplet/list')).body;
  const named = async (name: string): Promise<DropletView> => {
    const found = (await listed()).filter((one) => one.name === name);
    expect(found).toHaveLength(1);
    return found[0] as DropletView;
  };

  test('it gets a key and a host key of its own, and becomes a server that is reached with them', async () => {
    const { ada, cloud } = ground;
    const run = await performed(ground, 'digitalocean/droplet/create', { name: 'web-1' });
    expect(outcomes(run)).toEqual(WHOLE);
    const droplet = await named('web-1');
    const [machine] = machines;
    expect(droplet).toMatchObject({ status: 'active', size: 's-1vcpu-1gb', priceMonthly: 6, run: run.id });
    // The key was only needed for the creation, and the first host key is in no use any more.
    expect([...cloud.account.keys.values()]).toEqual([]);
    const fingerprint = (await machine?.inside('ssh-keygen -lf /etc/ssh/host_key.pub'))?.out.split(' ')[1];
    expect(droplet.hostKey?.fingerprint).toBe(fingerprint);
    expect((await machine?.inside('ls /etc/ssh'))?.out).not.toContain('quarterdeck');
    const [stored] = cloud.account.droplets.values();
    expect(stored?.user_data).toContain('ed25519_private');
    expect((await machine?.inside('cat /etc/ssh/host_key'))?.out).not.toBe('');

    const associated = await ada.post<{ id: string }>('digitalocean/droplet/associate', { id: droplet.id });
    expect(associated.status).toBe(200);
    const server = await ada.post('server/detail', { id: associated.body.id });
    expect(server.body).toMatchObject({
      alias: 'web-1',
      host: machine?.address,
      username: 'root',
      hostKey: { fingerprint },
    });
    const command = await ada.post('server/execCmd', { id: associated.body.id, cmdType: 5 });
    expect(command.status).toBe(200);
    expect(await named('web-1')).toMatchObject({ server: { id: associated.body.id, alias: 'web-1' } });
    // Once more: the same server.
    expect((await ada.post('digitalocean/droplet/associate', { id: droplet.id })).body).toMatchObject({
      id: associated.body.id,
    });
  });

  test.each([
    ['the key', 'POST /v2/account/keys'],
    ['the droplet', 'POST /v2/droplets'],
    ['the removal of the key', 'DELETE /v2/account/keys'],
  ])('with the answer about %s lost once, nothing is made twice and nothing is left', async (_, call) => {
    const { cloud } = ground;
    const name = `lost-${cloud.calls.length}`;
    cloud.feel({ is: 'losing' }, call, 1);
    const run = await performed(ground, 'digitalocean/droplet/create', { name });
    const again = run.state === 'succeeded' ? run : await retried(run.id);
    expect(again.state).toBe('succeeded');
    expect([...cloud.account.droplets.values()].filter((one) => one.name === name)).toHaveLength(1);
    expect([...cloud.account.keys.values()]).toEqual([]);
    await named(name);
  });

  const retried = async (id: string) => {
    expect((await ground.ada.post('run/retry', { id })).status).toBe(200);
    return ended(ground, id);
  };

  test('a refusal leaves no key at the provider, and a retry makes the droplet', async () => {
    const { cloud } = ground;
    cloud.feel({ is: 'failing', status: 422 }, 'POST /v2/droplets', 1);
    const run = await performed(ground, 'digitalocean/droplet/create', { name: 'refused' });
    expect(run).toMatchObject({ state: 'failed' });
    expect(outcomes(run).at(-1)).toBe('createDroplet failed');
    expect([...cloud.account.keys.values()]).toEqual([]);
    expect((await retried(run.id)).state).toBe('succeeded');
    expect([...cloud.account.droplets.values()].filter((one) => one.name === 'refused')).toHaveLength(1);
  });

  test('what an error of the provider left behind is named, and can be deleted', async () => {
    const { ada, cloud } = ground;
    cloud.account.errored.add('create');
    const run = await performed(ground, 'digitalocean/droplet/create', { name: 'errored' });
    cloud.account.errored.delete('create');
    expect(run.state).toBe('failed');
    const { id } = await named('errored');
    const { body } = await ada.post<{ droplets: object[]; keys: object[] }>('digitalocean/orphans', {});
    expect(body.droplets).toContainEqual({ id, name: 'errored', priceMonthly: 6, run: run.id });
    expect(body.keys).toEqual([]);
    const removal = await performed(ground, 'digitalocean/droplet/delete', { id, name: 'errored' });
    expect(removal.state).toBe('succeeded');
    expect([...cloud.account.droplets.values()].filter((one) => one.name === 'errored')).toEqual([]);
    expect((await listed()).filter((one) => one.name === 'errored')).toEqual([]);
  });

  test('a machine that has not got the key is named with the reason, and can be deleted', async () => {
    const { ada, cloud } = ground;
    const { boot } = cloud.account;
    cloud.account.boot = (given) => bootThrowaway({ ...given, keys: [] });
    const { body } = await ada.post<{ runId: string }>('digitalocean/droplet/create', {
      name: 'keyless',
      runId: randomUUID(),
    });
    const output = async () => JSON.stringify((await ada.post('run/output', { id: body.runId })).body);
    await until(async () => (await output()).includes('Not yet: '));
    await until(async () => (await output()).includes('did not accept the key for the user root'));
    expect((await ada.post('run/cancel', { id: body.runId })).status).toBe(200);
    expect((await ended(ground, body.runId)).state).toBe('cancelled');
    Object.assign(cloud.account, { boot });
    expect(await output()).toMatch(/The droplet \d+ is left at the provider/);
    const { id } = await named('keyless');
    const orphans = await ada.post<{ droplets: object[]; keys: object[] }>('digitalocean/orphans', {});
    expect(orphans.body.droplets).toContainEqual(
      expect.objectContaining({ id, name: 'keyless', run: body.runId }),
    );
    expect(orphans.body.keys).toEqual([]);
    expect((await performed(ground, 'digitalocean/droplet/delete', { id, name: 'keyless' })).state).toBe(
      'succeeded',
    );
  });
}
