/**
 * Loaded into a back end with `--import`: writes into `HOLD_FILE` the most processor time that its main thread has spent
 * in one turn, in ms. Other processes on the machine do not change it, as they would the time on the clock.
 */
import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const BEAT_MS = 5;
const spent = () =>
  Number(fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

const file = process.env.HOLD_FILE;
if (isMainThread && file !== undefined) {
  let [last, most] = [Infinity, 0];
  setInterval(() => {
    const now = spent();
    // Whoever empties the file begins anew.
    if (most > 0 && fs.statSync(file).size === 0) most = 0;
    if (now - last > most) {
      most = now - last;
      fs.writeFileSync(file, String(most));
    }
    last = spent();
  }, BEAT_MS).unref();
}
