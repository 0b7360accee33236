/** What runs in the threads of `platform/guests`. It imports nothing of the back end: a guest has to begin quickly. */
import { parentPort, workerData } from 'node:worker_threads';
import { openGuest } from './platform/guests/guest';
import type { Order, Report } from './platform/guests/messages';

const { module, megabytes } = workerData as { module: WebAssembly.Module; megabytes: number };
const tell = (report: Report): void => parentPort?.postMessage(report);
const guest = await openGuest(module, megabytes, tell);

parentPort?.on('message', (order: Order) => {
  try {
    guest(order);
  } catch {
    // The module trapped, so it cannot be used again. The host takes the end of the thread for the answer.
    process.exit(1);
  }
});
tell({ is: 'ready' });
