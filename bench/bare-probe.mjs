/**
 * The floor of an SSL run: only handshakes, with limited concurrency, checking name and trust. A worker thread, because
 * the hosts live in the measuring thread. `workerData`: {address, port, ca, atOnce}. Each message is a list of names.
 * It answers with the time in milliseconds and the number of untrusted hosts.
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
