/** Runs `docker compose up` with a real engine and images made by this test. */
import { buildBackend, buildConsole } from '../../testing/backend-process';
import { packagesLack } from '../../testing/debian-packages';
import { operator, type Operator } from '../../testing/operator';
import { startThrowawayHost, type ThrowawayHost } from '../../testing/throwaway-host';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import { until } from '../../testing/patience';
import { bringImages, packages, REPOSITORY } from './compose-images';

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with docker', lacking);

/** Slow polling, because each check starts processes. */
const SELDOM_MS = 500;

if (lacking.length === 0) {
  let host: ThrowawayHost;
  let alice: Operator;

  /** @param otherwise what explains a failure */
  const inside = async (line: string, otherwise = 'true'): Promise<string> => {
    const { code, out } = await host.inside(line);
    if (code === 0) return out;
    const { out: why } = await host.inside(otherwise);
    throw new Error(`${line}: exit code ${String(code)}: ${out}\n${why}`);
  };
  const composed = (line: string): string => `docker-compose --ansi never --project-name console ${line}`;
  const compose = (line: string, env = ''): Promise<string> =>
    inside(
      `cd ${REPOSITORY} && ${env} ${composed(line)}`,
      `cd ${REPOSITORY}; docker ps --all; ${composed('logs --no-color --tail=40')}`,
    );
  const ofApp = (format: string): Promise<string> =>
    inside(`docker inspect --format '${format}' "$(docker ps --all --quiet --filter name=app)"`);
  /** @param port published on the host. @returns the address of the console, once it is ready there */
  const ready = async (port: number): Promise<string> => {
    const url = `http://127.0.0.1:${await host.gate(port)}`;
    await until(async () => {
      const answer = await fetch(`${url}/api/health/ready`).catch(() => undefined);
      return answer?.status === 200;
    }, SELDOM_MS);
    return url;
  };
  const products = async () => (await alice.post<{ name: string }[]>('product/list', {})).body;

  beforeAll(async () => {
    await Promise.all([buildBackend(), buildConsole()]);
    host = await startThrowawayHost({ packages: true });
    await bringImages(host);
  });
  afterAll(() => host?.stop());

  test('the Dockerfile builds an image, and all three services start', async () => {
    await compose('up --detach --build');
    const url = await ready(4000);
    const link = /sign in http:\/\/127\.0\.0\.1:4000\/login\?return=\/app&code=(\S+)$/m;
    alice = await operator(url).signIn(link.exec(await compose('logs --no-color app'))?.[1] ?? '');
    const shop = { data: { name: 'Shop', description: '' } };
    expect((await alice.post('product/insert', shop)).status).toBe(200);
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')]);
    expect(await ofApp('{{.Config.User}}')).toBe('node\n');
    // The password is made for this installation, and is in no environment.
    expect(await compose('exec -T app cat /passwords/postgres')).toMatch(/^[0-9a-f]{48}$/);
    expect(await ofApp('{{.Config.Env}}')).not.toContain('POSTGRES_PASSWORD=');
    await until(async () => (await ofApp('{{.State.Health.Status}}')) === 'healthy\n', SELDOM_MS);
  });

  test('the console stops cleanly, and keeps its data and sessions after `down` and `up` on another port', async () => {
    await compose('stop');
    expect(await ofApp('{{.State.ExitCode}}')).toBe('0\n');
    await compose('down');
    expect(await inside('docker ps --all --quiet')).toBe('');
    await compose('up --detach', 'PORT=4567');
    alice = operator(await ready(4567), alice.cookie);
    expect(await products()).toMatchObject([{ name: 'Shop' }]);
    const books = { data: { name: 'Books', description: '' } };
    expect((await alice.post('product/insert', books)).status).toBe(200);
  });
}
