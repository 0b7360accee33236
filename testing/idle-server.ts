/** A server that nobody can reach, and a key that opens none. */
import { generateKeyPairSync } from 'node:crypto';

/** A key that opens nothing, for servers that nobody connects to. Not made by ssh2, which makes a broken one of 500. */
export const idleKey = (passphrase?: string): string =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: {
      type: 'pkcs8',
      format: 'pem',
      ...(passphrase ? { cipher: 'aes-256-cbc', passphrase } : {}),
    },
  }).privateKey;

export const nowhere = { host: '127.0.0.1', port: 9, username: 'root' };
