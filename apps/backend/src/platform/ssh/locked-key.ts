import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { SshFailure } from './failure';

/** A key says itself how much work its passphrase is. */
const defaultPatienceMs = 10_000;

/** Plain JavaScript in a text, so that it needs no file of its own in the bundle. */
const openInThread = `
const { parentPort, workerData } = require('node:worker_threads');
const { utils } = require(workerData.ssh2);
const parsed = utils.parseKey(workerData.key, workerData.passphrase);
const key = Array.isArray(parsed) ? parsed[0] : parsed;
parentPort.postMessage(key instanceof Error ? { error: key.message } : { pem: key.getPrivatePEM() });
`;

type Answer = { pem: string } | { error: string };

/**
 * The private key in PEM, out of an OpenSSH key with a passphrase. Its key derivation (bcrypt) takes a third of a
 * second of pure JavaScript at least, and as long as the key demands at most: not on the thread that everybody waits for.
 */
export const openLockedKey = (
  key: string,
  passphrase: string,
  patienceMs = defaultPatienceMs,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const ssh2 = createRequire(import.meta.url).resolve('ssh2');
    const worker = new Worker(openInThread, {
      eval: true,
      workerData: { ssh2, key, passphrase },
      env: {},
      execArgv: [],
    });
    const timer = setTimeout(() => {
      settle(() =>
        reject(
          new SshFailure(
            'badKey',
            'The passphrase of this private key takes too long to check. Make it cheaper: ssh-keygen -p -a 24 -f <file>.',
          ),
        ),
      );
    }, patienceMs);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      void worker.terminate();
      act();
    };
    worker.once('message', (answer: Answer) => settle(() => resolve(answer)));
    worker.once('error', (error) => settle(() => resolve({ error: error.message })));
  });
