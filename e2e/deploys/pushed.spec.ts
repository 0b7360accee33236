/** A signed webhook of the source host deploys an image to a real server, at once and after an approval. covers: OPS-06 */
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { packagesLack } from '../../testing/debian-packages';
import { publishedContainer } from '../../testing/github/webhooks';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import { pushCalls, rule, send, type Hook } from '../pushes/push-ground';
import {
  ended,
  good,
  packages,
  REGISTRY,
  SHOP,
  startContainerServer,
  type ContainerServer,
} from './container-server';

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with docker', lacking);

const TOKEN = 'ghp_canary0123456789canary0123456789cana';

if (lacking.length === 0) {
  let world: World;
  let alice: Operator;
  let server: ContainerServer;
  let to: Hook;

  beforeAll(async () => {
    world = await openWorld({ env: { CONTAINER_REGISTRY: REGISTRY } });
    alice = await world.backend.signIn();
    server = await startContainerServer(TOKEN);
    await good(alice, 'profile/gh-token/update', { value: TOKEN });
    for (const tag of ['main', 'v1.0.0']) await server.push(tag);
    const rules = [
      rule('Main to dev', { pattern: 'main', env: 1 }),
      rule('Versions to prod', { approval: 'admin' }),
    ];
    to = await pushCalls(alice).hook(await server.register(alice), rules, {
      packageSubfolder: 'shop',
      port: 3000,
    });
  });
  afterAll(async () => {
    await world?.end();
    await server?.host.stop();
  });

  const pushed = (tag: string, at: string) =>
    send(
      world.backend.url,
      to,
      'package',
      publishedContainer({ tag, at, name: 'shop', image: SHOP, digest: 'not known' }),
    );
  const answer = async (): Promise<string> =>
    (await server.inside('wget -qO- http://127.0.0.1:3000/')).trim();

  test('main goes to dev at once, and a version to prod after an approval', async () => {
    const { settled, ask, releases } = pushCalls(alice);
    await pushed('main', '2026-11-30T10:00:00Z');
    const [first] = await settled(to.service, 'deployed');
    // Nobody asked for it, so nobody's token is sent: the server itself is logged in at the registry.
    const { run } = await ended(alice, first?.release ?? '');
    expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
    expect(await answer()).toBe('main');
    await pushed('v1.0.0', '2026-11-30T11:00:00Z');
    const [waiting] = await settled(to.service, 'waiting', 'deployed');
    expect(await answer()).toBe('main');
    await ask('push/approve', { id: waiting?.id });
    const [second] = await settled(to.service, 'deployed', 'deployed');
    const later = await ended(alice, second?.release ?? '');
    expect([later.run.state, later.run.reason]).toEqual(['succeeded', undefined]);
    expect(await answer()).toBe('v1.0.0');
    expect((await releases(to.service)).map(({ env, pushed: by }) => [env.id, by?.rule.name])).toEqual([
      [3, 'Versions to prod'],
      [1, 'Main to dev'],
    ]);
  });
}
