/** Ed25519 signatures of seals, as docs/audit.md describes them. */
import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { LogIdentity, Seal } from './audit';

/** The signed text: four lines, each with its line feed. */
const statement = (log: string, { position, hash }: Seal): Buffer =>
  Buffer.from(`quarterdeck seal 1\n${log}\n${position}\n${hash}\n`);

/** @returns base64 */
export const signSeal = (key: KeyObject, log: string, seal: Seal): string =>
  sign(null, statement(log, seal), key).toString('base64');

export const isSignedBy = ({ log, publicKey }: LogIdentity, seal: Seal, signature: string): boolean => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify(null, statement(log, seal), key, Buffer.from(signature, 'base64'));
  } catch {
    // The key or the signature is malformed.
    return false;
  }
};
