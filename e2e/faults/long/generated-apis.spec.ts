/**
 * Random calls of random APIs, on real engines: each answers, and leaves behind, what plain JavaScript says. `npm run
 * faults -- --n 67 random` makes 20,000 calls on each engine.
 *
 * covers: API-04
 */
import { randomCalls } from '../../api/calls';
import { startGrounds, type Ground } from '../../api/grounds';
import { fault } from '../fault';

let grounds: Ground[];

beforeAll(async () => {
  grounds = await startGrounds();
});

afterAll(() => Promise.all(grounds.map((ground) => ground.stop())));

for (const [at, name] of ['PostgreSQL', 'MariaDB'].entries())
  fault({
    fault: `300 random calls of ten random APIs on ${name}`,
    must: 'every answer is that of an oracle in memory, and no call changes another row',
    trial: async (turn) => {
      const ground = grounds[at] as Ground;
      let [refused, changed] = [0, 0];
      for (let part = 0; part < 10; part += 1) {
        const counted = await randomCalls(ground, turn * 10 + part + 1, 30);
        refused += counted.refused;
        changed += counted.changed;
      }
      return `${refused} refused, ${changed} wrote`;
    },
  });
