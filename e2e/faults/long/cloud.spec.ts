/** A console that is killed while it acts at a cloud provider. covers: CLOUD-02, CLOUD-03, CLOUD-05 */
import { startKilledConsole, type KilledConsole } from '../../cloud/killed-console';
import { pause } from '../../../testing/patience';
import { fault, moment } from '../fault';

let killed: KilledConsole;
beforeAll(async () => {
  killed = await startKilledConsole();
});
afterAll(() => killed?.end());

const LONGEST_MS = 900;

fault({
  fault:
    'kill -9 of the back end at a random instant of a reboot, a snapshot, a creation or a deletion at the provider',
  must: 'nothing is done twice, and what is not known is said and left to a person',
  share: 0.2,
  trial: async (turn) => {
    const { cloud } = killed;
    const name = `turn-${turn}`;
    const { id, droplet } = await killed.droplet(name, `203.0.113.${turn % 250}`);
    const made = () =>
      [...cloud.account.actions.values()].filter((one) => one.resource_id === droplet).length;
    const figures: string[] = [];
    for (const [at, { path, input, count }] of [
      { path: 'digitalocean/droplet/act', input: { id, type: 'reboot' }, count: made },
      { path: 'digitalocean/droplet/act', input: { id, type: 'snapshot', newName: name }, count: made },
      {
        path: 'digitalocean/databases/create',
        input: { name: `${name}-db` },
        count: () => [...cloud.account.clusters.values()].filter((one) => one.name === `${name}-db`).length,
      },
      { path: 'digitalocean/droplet/delete', input: { id, name }, count: () => 0 },
    ].entries()) {
      const before = count();
      const run = await killed.start({ path, input });
      const after = moment(turn * 4 + at, LONGEST_MS);
      await pause(after);
      await killed.kill();
      const { state, code } = await killed.ended(run);
      const times = count() - before;
      if (state === 'succeeded' ? times > 1 : code !== 'unknownOutcome' || times > 1)
        throw new Error(`${path} was done ${times} times, and its run ${state} ${code}`);
      figures.push(`${after} ms ${state}`);
    }
    await killed.refresh();
    if (cloud.account.droplets.has(droplet)) throw new Error('the droplet was not deleted');
    if (cloud.account.keys.size > 0) throw new Error('a key is left at the provider');
    if (cloud.undescribed.length > 0) throw new Error(cloud.undescribed.join());
    return `killed after ${figures.join(', ')}`;
  },
});
