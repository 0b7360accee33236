/** `docker compose up` for real, with an engine of its own and images made here. */
import { buildBackend, buildConsole } from '../peers/backend-process';
import { packagesLack } from '../peers/debian-packages';
import { operator, type Operator } from '../peers/operator';
import { startThrowawayHost, type ThrowawayHost } from '../peers/throwaway-host';
import { needs, throwawayHostLacks } from '../peers/throwaway-needs';
import { until } from '../patience';
import { bringImages, packages, REPOSITORY } from './compose-images';

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with docker', lacking);

if (lacking.length === 0) {
  let host: ThrowawayHost;
  let url: string;
  let alice: Operator;

  const inside = async (line: string): Promise<string> => {
    const { code, out } = await host.inside(line);
    if (code !== 0) throw new Error(`${line}: exit code ${String(code)}: ${out}`);
    return out;
  };
  const compose = (line: string): Promise<string> =>
    inside(
      `cd ${REPOSITORY} && PUBLIC_URL=${url} docker-compose --ansi never --project-name console ${line}`,
    );
  const ofApp = (format: string): Promise<string> =>
    inside(`docker inspect --format '${format}' "$(docker ps --all --quiet --filter name=app)"`);
  const ready = (): Promise<void> =>
    until(async () => {
      const answer = await fetch(`${url}/api/health/ready`).catch(() => undefined);
      return answer?.status === 200;
    });
  const products = async () => (await alice.post<{ name: string }[]>('product/list', {})).body;

  beforeAll(async () => {
    await Promise.all([buildBackend(), buildConsole()]);
    host = await startThrowawayHost({ packages: true });
    url = `http://localhost:${await host.gate(4000)}`;
    await bringImages(host);
  });
  afterAll(() => host?.stop());

  test('the Dockerfile becomes an image, and all three services come up', async () => {
    await compose('up --detach --build');
    await ready();
    expect(await ofApp('{{.Config.User}} {{.HostConfig.RestartPolicy.Name}}')).toBe('node unless-stopped\n');
    const link = /^.*sign in (\S+)\/login\?code=(\S+)$/m.exec(await compose('logs --no-color app'));
    expect(link?.[1]).toBe(url);
    alice = await operator(url).signIn(link?.[2] ?? '');
    const shop = { data: { name: 'Shop', description: '' } };
    expect((await alice.post('product/insert', shop)).status).toBe(200);
    expect(await products()).toMatchObject([{ name: 'Shop' }]);
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')]);
    await until(async () => (await ofApp('{{.State.Health.Status}}')) === 'healthy\n');
  });

  test('it ends cleanly, and what was recorded is there after `down` and `up`', async () => {
    await compose('stop');
    expect(await ofApp('{{.State.ExitCode}} {{.State.OOMKilled}}')).toBe('0 false\n');
    await compose('down');
    expect(await inside('docker ps --all --quiet')).toBe('');
    await compose('up --detach');
    await ready();
    expect(await products()).toMatchObject([{ name: 'Shop' }]);
    expect((await alice.post('product/insert', { data: { name: 'Books', description: '' } })).status).toBe(
      200,
    );
  });
}
