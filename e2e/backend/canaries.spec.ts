// covers: SRV-03, SRV-04
import { startSshd, type Sshd } from '../peers/sshd';
import { foundIn, plantCanaries } from './canaries';
import { openWorld, type World } from './world';

let world: World;
let sshd: Sshd;

beforeAll(async () => {
  [world, sshd] = await Promise.all([
    openWorld({ env: { LOG_LEVEL: 'trace', OUTBOUND_ALLOW: '127.0.0.1' } }),
    startSshd(),
  ]);
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
});

test('a planted secret is found in no event, read model, log line, push or answer', async () => {
  expect(foundIn(await plantCanaries(world, sshd))).toEqual([]);
});
