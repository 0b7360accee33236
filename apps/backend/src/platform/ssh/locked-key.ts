import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { SshFailure } from './failure';

/** Time limit, because the key itself determines how much work its passphrase takes. */
const defaultPatienceMs = 10_000;

/** JavaScript as text, so that the bundle needs no extra file. */
const openInThread = `
const { parentPort, workerData } = require('node:worker_threads');
const { utils } = require(workerData.ssh2);
const parsed = utils.parseKey(workerData.key, workerData.passphrase);
const key = Array.isArray(parsed) ? parsed[0] : parsed;
parentPort.postMessage(key instanceof Error ? { error: key.message } : { pem: key.getPrivatePEM() });
`;

type Answer = { pem: string } | { error: string };

/**
 * Decrypts an OpenSSH key with a passphrase to PEM. The key derivation (bcrypt) takes at least a third of a second in
 * pure JavaScript, or as long as the key demands, so it runs in a separate thread.
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
