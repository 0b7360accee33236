/** Ed25519 signatures of seals (see docs/audit.md) and of other texts that begin with their own kind. */
import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { LogIdentity, Seal } from './audit';

/** The signed text: four lines, each with its line feed. */
const statement = (log: string, { position, hash }: Seal): Buffer =>
  Buffer.from(`quarterdeck seal 1\n${log}\n${position}\n${hash}\n`);

/** @returns base64 */
export const signSeal = (key: KeyObject, log: string, seal: Seal): string =>
  sign(null, statement(log, seal), key).toString('base64');

/** @param text begins with its own kind, so its signature cannot pass for that of a seal or of another kind of text */
export const signText = (key: KeyObject, text: string): string =>
  sign(null, Buffer.from(text), key).toString('base64');

const isSigned = (publicKey: string, text: Buffer, signature: string): boolean => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify(null, text, key, Buffer.from(signature, 'base64'));
  } catch {
    // The key or the signature is malformed.
    return false;
  }
};

export const isSignedBy = ({ log, publicKey }: LogIdentity, seal: Seal, signature: string): boolean =>
  isSigned(publicKey, statement(log, seal), signature);

export const isTextSignedBy = (publicKey: string, text: string, signature: string): boolean =>
  isSigned(publicKey, Buffer.from(text), signature);
