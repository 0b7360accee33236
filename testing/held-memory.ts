/** Memory in tests. What the process has from the system (`rss`) says when V8 last cleaned up, not what our code holds. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** @returns the bytes that this process holds, heap and buffers, without garbage */
export const heldBytes = (): number => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // Twice: the first round leaves what only finalizers hold.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
