/** Lists that are longer than a page. covers: CLOUD-02, CLOUD-03 */
import { digitalOcean } from '../../apps/backend/src/cloud/digitalocean-provider';
import { Outbound } from '../../apps/backend/src/platform/outbound';
import { type DigitalOceanPeer, startDigitalOcean } from '../../testing/digitalocean';

let peer: DigitalOceanPeer;
beforeEach(async () => {
  peer = await startDigitalOcean();
});
afterEach(() => peer?.stop());

const provider = () => digitalOcean(peer.token, { url: peer.url, outbound: new Outbound() });

test('all droplets are listed', async () => {
  for (let at = 0; at < 401; at += 1) peer.account.addDroplet({ name: `web-${at}` });
  expect(new Set((await provider().machines()).map(({ droplet }) => droplet)).size).toBe(401);
  expect(peer.calls).toHaveLength(3);
});

// The provider does not say whether more databases follow.
test.each([
  [0, 1],
  [199, 1],
  [200, 2],
  [401, 3],
])('all of %i databases are listed, with %i calls', async (count, calls) => {
  for (let at = 0; at < count; at += 1) peer.account.addCluster({ name: `db-${at}` });
  expect(new Set((await provider().clusters()).map(({ cluster }) => cluster)).size).toBe(count);
  expect(peer.calls).toHaveLength(calls);
});
