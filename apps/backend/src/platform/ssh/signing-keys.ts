import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ParsedKey } from 'ssh2';
import { unlockPrivateKey } from './private-key';

const HOUR_MS = 3_600_000;

/**
 * Opened keys, until nobody has connected with them for an hour. Without this, every connection of a fleet would open
 * its locked key again, in JavaScript, which takes seconds for one that `ssh-keygen -a 64` made.
 */
const opened = new LRUCache<string, Promise<ParsedKey>>({ max: 1000, ttl: HOUR_MS, updateAgeOnGet: true });

/** The key, ready to sign with. It is kept only in memory. @throws SshFailure */
export const signingKey = (text: string, passphrase?: string): Promise<ParsedKey> => {
  const id = createHash('sha256')
    .update(JSON.stringify([text, passphrase]))
    .digest('hex');
  const known = opened.get(id);
  if (known) return known;
  const opening = unlockPrivateKey(text, passphrase);
  opened.set(id, opening);
  opening.catch(() => opened.delete(id));
  return opening;
};
