/** Install Docker on real Debian servers with systemd. covers: SRV-06 */
import { allowSudo, openSetupWorld, purge, setupTestsLack, type SetupWorld } from './setup-world';
import { unpackLine } from '../../testing/debian-packages';
import type { ThrowawayHost } from '../../testing/throwaway-host';
import { needs } from '../../testing/throwaway-needs';

const lacking = setupTestsLack([
  'docker.io',
  'docker-compose',
  'containerd',
  'runc',
  'sudo',
  'busybox-static',
]);
needs('this machine can bring up throw-away servers that install packages', lacking);

if (lacking.length === 0) {
  let world: SetupWorld;
  let host: ThrowawayHost;
  beforeAll(async () => {
    world = await openSetupWorld();
  });
  afterAll(() => world?.end());

  test('engine and compose are installed and a container runs; a second time changes nothing', async () => {
    host = await world.host({ packages: true });
    await purge(host, ['docker.io', 'docker-compose']);
    const id = await world.register(host);
    const asked = await world.alice.post<{ runId: string }>('server/install-docker', { id });
    expect(asked.status).toBe(200);

    // The run locks the server: a second change is refused, and the refusal names the active run.
    const refused = await world.alice.post('server/init', { id });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      msg: expect.stringMatching(/^Install Docker is under way on web-.*, started by .+: wait for it to end/),
      current: { runId: asked.body.runId, kind: 'installDocker', label: 'Install Docker' },
    });

    const { run, out, changed } = await world.ended(asked.body.runId);
    expect(run.reason).toBeUndefined();
    expect(run).toMatchObject({ state: 'succeeded', label: 'Install Docker' });
    expect(changed).toEqual(expect.arrayContaining(['installed docker.io', 'installed docker-compose']));
    expect(out).toContain('A test container ran. It and its image were removed.\n');
    expect((await world.server(id)).docker).toMatchObject({
      run: run.id,
      engine: expect.stringMatching(/^\d+\.\d+/),
      compose: expect.stringMatching(/^\d+\.\d+/),
      changed,
    });
    expect(
      (
        await host.inside(
          'systemctl is-enabled docker; systemctl is-active docker; docker ps -aq; docker images -q',
        )
      ).out,
    ).toBe('enabled\nactive\n');

    const second = await world.setUp('install-docker', id);
    expect([second.run.state, second.changed]).toEqual(['succeeded', []]);
    expect(second.out).toContain('Everything was in place. Nothing was changed.\n');

    // A stopped engine is started, and existing installations are left alone.
    await host.inside('systemctl disable --now docker.socket docker');
    const third = await world.setUp('install-docker', id);
    expect([third.run.reason, third.changed]).toEqual([
      undefined,
      ['docker starts with the server', 'started docker'],
    ]);
    // The facts of the server include it from now on.
    await world.setUp('init', id);
    expect((await world.server(id)).initialized?.facts.docker).toMatch(/^\d+\.\d+/);
  });

  test('an account with sudo installs what is missing, also with a static busybox as shell', async () => {
    await purge(host, ['docker-compose']);
    await allowSudo(host, 'deployer');
    const id = await world.register(host, { username: 'deployer', root: '/home/deployer' });
    const { run, changed } = await world.setUp('install-docker', id);
    expect([run.reason, changed]).toEqual([undefined, ['installed docker-compose']]);
    const { code, out } = await host.inside(
      `${unpackLine('busybox-static')} && ln -s /bin/busybox /bin/sh.new && mv -T /bin/sh.new /bin/sh && sh --help 2>&1 | head -n 1`,
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/BusyBox/)]);
    const second = await world.setUp('install-docker', id);
    expect([second.run.reason, second.changed]).toEqual([undefined, []]);
  });

  test('an unreachable package source is reported as such', async () => {
    const host = await world.host();
    await purge(host, ['docker.io', 'docker-compose']);
    const id = await world.register(host);
    const { run, out } = await world.setUp('install-docker', id);
    expect(run).toMatchObject({
      state: 'failed',
      steps: [{ step: 'system' }, { step: 'engine', exitCode: 69 }],
    });
    expect(out).toContain(
      'The package sources of this server cannot be reached, so these were not installed: docker.io.\n',
    );
    expect(await world.server(id)).not.toHaveProperty('docker');
  });

  test('podman under the name of docker is left alone', async () => {
    const host = await world.host({ packages: true });
    await host.inside(
      "printf '#!/bin/sh\\necho podman version 4.3.1\\n' > /usr/local/bin/docker; chmod +x /usr/local/bin/docker",
    );
    const id = await world.register(host);
    const { run, out } = await world.setUp('install-docker', id);
    expect(run.state).toBe('failed');
    expect(out).toContain('The docker command of this server is Podman. It was left unchanged');
  });
}
