import { createHash } from 'node:crypto';
import type { HostKey } from './target';

/** As printed by `ssh-keygen -l`. */
export const fingerprintOf = (publicBlob: Buffer): string =>
  `SHA256:${createHash('sha256').update(publicBlob).digest('base64').replace(/=+$/, '')}`;

/** A public key on the wire begins with the length and the name of its type. */
export const describeHostKey = (publicBlob: Buffer): HostKey => {
  const length = publicBlob.readUInt32BE(0);
  return { algorithm: publicBlob.toString('latin1', 4, 4 + length), fingerprint: fingerprintOf(publicBlob) };
};

const signaturesByPreference = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
] as const;

export type HostKeySignature = (typeof signaturesByPreference)[number];

const provesKeyOf = (signature: HostKeySignature, algorithm: string): boolean =>
  signature === algorithm || (algorithm === 'ssh-rsa' && signature.startsWith('rsa-'));

/**
 * A server has several host keys and shows the one that the client asks for first. A host pinned by its RSA key has to
 * be asked for RSA first, or its ed25519 key would look like a changed key.
 */
export const signaturesToAskFor = (pinned: HostKey | undefined): HostKeySignature[] => {
  const first = signaturesByPreference.filter(
    (signature) => pinned && provesKeyOf(signature, pinned.algorithm),
  );
  return [...first, ...signaturesByPreference.filter((signature) => !first.includes(signature))];
};
