// covers: AUTH-06, SRV-03, SRV-04
import { foundIn, plantCanaries } from '../backend/canaries';
import { openTenancy } from '../backend/tenancy';
import { openWorld, type World } from '../backend/world';
import { startSshd, type Sshd } from '../../testing/sshd';
import { fault } from './fault';

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

fault({
  fault: 'canary secrets in every field that takes one, used rightly and wrongly',
  must: 'found in no event, read model, log line, push or answer',
  trial: async () => {
    const canaries = await plantCanaries(world, sshd);
    expect(foundIn(canaries)).toEqual([]);
    const searched = Object.values(canaries.places).reduce((sum, { length }) => sum + length, 0);
    return `${(searched / 1024 / 1024).toFixed(1).padStart(5)} MB searched`;
  },
});

fault({
  fault: 'the admin of another workspace with every id of this one, on every route, list and socket',
  must: 'answered as for an id that never existed, nothing read, written or heard',
  trial: async () => {
    const tenancy = await openTenancy(world);
    const before = await tenancy.written();
    expect(await tenancy.askForForeign()).toEqual([]);
    expect(await tenancy.askForLists()).toEqual([]);
    expect(await tenancy.written()).toBe(before);
    expect(before).toBeGreaterThan(0);
    expect(await tenancy.listen()).toEqual([]);
    return `${tenancy.naming.length} routes`;
  },
});
