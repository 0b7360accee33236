/**
 * The floor of an SSL run: a process that does nothing but handshakes, so many at once, by name and trust. A worker
 * thread, since the hosts live in the thread that measures. `workerData`: {address, port, ca, atOnce}; each message is the
 * names, and its answer how many milliseconds that took and how many were not trusted.
 */
import { connect, createSecureContext, rootCertificates } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';

const { address: host, port, ca, atOnce } = workerData;
const secureContext = createSecureContext({ ca: [...rootCertificates, ca] });

const handshake = (servername) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, servername, secureContext }, () => {
      resolve(socket.authorized);
      socket.destroy();
    }).once('error', () => resolve(false));
  });

parentPort.on('message', async (names) => {
  const began = performance.now();
  const queue = names.values();
  let lost = 0;
  const prober = async () => {
    for (const name of queue) if (!(await handshake(name))) lost += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, prober));
  parentPort.postMessage({ took: performance.now() - began, lost });
});
