/**
 * How cost grows, and what one machine holds: the built back end with logs of four sizes, with read models to come, with
 * many servers that are checked, and with many browsers. A figure at the largest size is divided by the same at a thirtieth
 * of it, each with its own floor: the machine may have changed in between. Too long for `--quick`.
 *
 * `BENCH_ONLY` chooses a part: `sizes`, `nouns`, `servers` or `sockets`. `BENCH_EVENTS` is the largest size.
 */
import { finish, isQuick, type Line } from './harness';
import { answerProbes } from './growth-hosts';
import { ofNouns } from './growth-nouns';
import { ofServers } from './growth-servers';
import { ofSizes } from './growth-sizes';
import { ofSockets } from './growth-sockets';

const parts: Record<string, () => Promise<Line[]>> = {
  sizes: ofSizes,
  nouns: ofNouns,
  servers: ofServers,
  sockets: ofSockets,
};

const main = async (): Promise<void> => {
  const lines: Line[] = [];
  if (isQuick) console.log('left out: it takes half an hour, with or without --quick');
  else
    for (const [name, measure] of Object.entries(parts))
      if ((process.env.BENCH_ONLY ?? name) === name) lines.push(...(await measure()));
  finish(lines);
};

if (process.argv[2] === 'hosts') await answerProbes();
else {
  await main();
  // With the code that `finish` set: sockets and pools of the measuring side would keep it alive.
  process.exit();
}
