/** Initialize Server on real Debian servers with systemd. covers: SRV-06 */
import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { SET_UP } from '@quarterdeck/events';
import { unpackLine } from '../../testing/debian-packages';
import type { ThrowawayHost } from '../../testing/throwaway-host';
import { allowSudo, openSetupWorld, purge, setupTestsLack, type SetupWorld } from './setup-world';
import { needs } from '../../testing/throwaway-needs';
import { PATIENCE_MS } from '../../testing/patience';

const packages = ['nginx', 'nginx-common', 'certbot', 'python3-certbot-nginx', 'curl', 'sudo'];
const lacking = setupTestsLack(packages);
needs('this machine can bring up throw-away servers that install packages', lacking);

const page = (port: number, host: string): Promise<string> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, headers: { host }, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve(`${response.statusCode} ${body}`));
    }).on('error', ({ message }) => resolve(message));
  });

/** Waits until workers with the new configuration answer. */
const served = async (port: number, host: string): Promise<string> => {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const said = await page(port, host);
    if (said === `200 this is ${host}` || Date.now() > end) return said;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const stepNames = [
  'reach',
  'system',
  'prerequisites',
  'folders',
  'nginx',
  'nginxInclude',
  'nginxConnections',
  'unknownNames',
  'nginxService',
  'certbot',
  'firewall',
  'facts',
];

const site = (name: string): string =>
  `server { listen 80; server_name ${name}; location / { return 200 "this is ${name}"; } }`;

if (lacking.length === 0) {
  let world: SetupWorld;
  beforeAll(async () => {
    world = await openSetupWorld();
  });
  afterAll(() => world?.end());

  const bareHost = async (): Promise<ThrowawayHost> => {
    const host = await world.host({ packages: true });
    await purge(host, ['nginx', 'nginx-common', 'certbot', 'python3-certbot-nginx', 'curl']);
    // Debian's default.
    await host.inside('chmod 700 /root');
    return host;
  };

  test('a bare server is set up so that nginx serves the files in its folder; a second time changes nothing', async () => {
    const host = await bareHost();
    const id = await world.register(host);
    const { run, out, changed } = await world.setUp('init', id);
    expect(run).toMatchObject({ state: 'succeeded', kind: 'initializeServer', label: 'Initialize Server' });
    expect(run.steps.map(({ step, state }) => [step, state])).toEqual(
      stepNames.map((name) => [name, 'succeeded']),
    );
    expect(changed).toEqual([
      'installed curl',
      'created the folder /root/volumes/static',
      'created the folder /root/volumes/nginx_config',
      'gave the account of nginx access through /root',
      'installed nginx',
      'nginx reads /root/volumes/nginx_config/*.conf',
      expect.stringMatching(/^a worker of nginx takes \d{4,5} connections instead of 768$/),
      expect.stringMatching(/^a worker of nginx may keep \d{5} files open$/),
      'nginx refuses names that no site has',
      'nginx may keep 65536 files open',
      'installed certbot',
      'installed python3-certbot-nginx',
    ]);
    expect(out).toContain(`Changed:\n${changed.map((line) => `- ${line}\n`).join('')}`);
    const { initialized } = await world.server(id);
    expect(initialized).toMatchObject({
      run: run.id,
      changed,
      setUp: SET_UP,
      facts: {
        os: expect.stringMatching(/^debian \d+$/),
        kernel: expect.stringMatching(/^\d+\.\d+/),
        architecture: (await host.inside('uname -m')).out.trim(),
        cores: Number((await host.inside('nproc')).out),
        memoryBytes: 1024 * Number((await host.inside("awk '/^MemTotal/ { print $2 }' /proc/meminfo")).out),
        diskBytes: expect.any(Number),
        nginx: expect.stringMatching(/^\d+\.\d+/),
        certbot: expect.stringMatching(/^\d+\.\d+/),
      },
    });
    expect(initialized?.facts.diskBytes).toBeGreaterThan(1e6);

    // nginx really serves what is in the folder.
    await host.inside(`echo '${site('shop.test')}' > /root/volumes/nginx_config/shop.conf; nginx -s reload`);
    const web = await host.gate(80);
    expect(await served(web, 'shop.test')).toBe('200 this is shop.test');
    expect((await host.inside('systemctl is-enabled nginx; systemctl is-active nginx')).out).toBe(
      'enabled\nactive\n',
    );

    const snapshot = 'find /etc /root/volumes -type f -newer /tmp/mark | grep -v -e /etc/mtab';
    await host.inside('sleep 0.1; touch /tmp/mark');
    const second = await world.setUp('init', id);
    expect([second.run.state, second.changed]).toEqual(['succeeded', []]);
    expect(second.out).toContain('Everything was in place. Nothing was changed.\n');
    expect((await host.inside(snapshot)).out).toBe('');
    expect((await world.server(id)).initialized).toMatchObject({ run: second.run.id, changed: [] });
    expect(await served(web, 'shop.test')).toBe('200 this is shop.test');
  });

  test('an account with sudo does the same, and its home keeps its owner', async () => {
    const host = await bareHost();
    await allowSudo(host, 'deployer');
    const id = await world.register(host, {
      username: 'deployer',
      root: '/home/deployer',
      path: '/home/deployer/static',
      nginxPath: '/home/deployer/nginx',
    });
    const { run, out, changed } = await world.setUp('init', id);
    expect(run.reason).toBeUndefined();
    expect(out).toContain('Account: deployer, with sudo and no password.\n');
    expect(changed).toContain('nginx reads /home/deployer/nginx/*.conf');
    expect(changed).toContain('installed nginx');
    expect((await host.inside("stat -c '%U %n' /home/deployer/static /home/deployer/nginx")).out).toBe(
      'deployer /home/deployer/static\ndeployer /home/deployer/nginx\n',
    );
    await host.inside(`echo '${site('docs.test')}' > /home/deployer/nginx/docs.conf; nginx -s reload`);
    expect(await served(await host.gate(80), 'docs.test')).toBe('200 this is docs.test');
    expect((await world.setUp('init', id)).changed).toEqual([]);
  });

  test('an account with few permissions gets a list of what it lacks, and nothing is changed', async () => {
    const host = await world.host({ packages: true });
    await allowSudo(host, 'deployer');
    await host.inside('rm /etc/sudoers.d/deployer');
    const id = await world.register(host, { username: 'deployer', root: '/home/deployer' });
    const asked = await world.setUp('init', id);
    expect(asked.run).toMatchObject({
      state: 'failed',
      steps: [{ step: 'reach' }, { step: 'system', exitCode: 126 }],
    });
    expect(asked.out).toContain('The account deployer is not root, and its sudo asks for a password.');
    await host.inside('mv /usr/bin/sudo /usr/bin/sudo.away');
    expect((await world.setUp('init', id)).out).toContain(
      'sudo is not installed on this server. Connect as root.',
    );
    expect(await world.server(id)).not.toHaveProperty('initialized');
    expect((await host.inside('ls /home/deployer')).out).toBe('');

    // The same run id is the same run, also much later. A missing server is not set up.
    const runId = randomUUID();
    const ask = () => world.alice.post('server/init', { id, runId });
    const answers = await Promise.all([ask(), ask(), ask()]);
    const { run } = await world.ended(runId);
    answers.push(await ask());
    expect(answers.map(({ status, body }) => [status, body.runId])).toEqual(answers.map(() => [200, runId]));
    expect((await world.ended(runId)).run).toEqual(run);
    expect((await world.alice.post('server/init', { id: randomUUID() })).status).toBe(404);
  });

  test('an unreachable package source is reported as such; a retry continues where it stopped', async () => {
    // The other tests install the rest.
    const host = await world.host({ packages: true });
    await purge(host, ['curl']);
    await host.inside(`${unpackLine('certbot')}; chmod 700 /root`);
    const id = await world.register(host);
    await host.inside(
      "mv /etc/apt/sources.list /tmp/ && echo 'deb http://deb.debian.org/debian stable main' > /etc/apt/sources.list",
    );
    const { run, out } = await world.setUp('init', id);
    expect(run).toMatchObject({
      state: 'failed',
      code: 'exit',
      reason: 'The package sources of this server cannot be reached, so these were not installed: curl.',
    });
    expect(run.steps.at(-1)).toMatchObject({ step: 'prerequisites', exitCode: 69 });
    expect(out).toContain('Temporary failure resolving');
    expect(out).toContain(
      'The package sources of this server cannot be reached, so these were not installed: curl.\n',
    );
    expect(await world.server(id)).not.toHaveProperty('initialized');

    // The next attempt gets further, and changes something before it fails.
    await host.inside(
      'mv /tmp/sources.list /etc/apt/; mkdir -p /root/volumes; touch /root/volumes/nginx_config',
    );
    const further = await world.retry(run.id);
    expect(further.run).toMatchObject({ state: 'failed' });
    expect(further.run.steps.at(-1)).toMatchObject({ step: 'folders', exitCode: 2 });
    expect(further.out).toContain('/root/volumes/nginx_config (configuration of nginx) exists, but is not');

    await host.inside('rm /root/volumes/nginx_config');
    const again = await world.retry(run.id);
    expect(again.run.state).toBe('succeeded');
    expect(again.run.steps.map(({ step, attempt }) => `${step} ${attempt}`)).toEqual([
      'reach 1',
      'system 1',
      'prerequisites 1',
      'prerequisites 2',
      'folders 1',
      'folders 2',
      ...stepNames.slice(4).map((name) => `${name} 1`),
    ]);
    expect((await world.server(id)).initialized?.changed.slice(0, 3)).toEqual([
      'installed curl',
      'created the folder /root/volumes/static',
      'created the folder /root/volumes/nginx_config',
    ]);
  });
}
