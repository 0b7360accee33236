import type { ParsedKey } from 'ssh2';

/** The same key with signatures of SHA-512 only. ssh2 takes the name of the algorithm from the type. */
const withSha512 = (key: ParsedKey): ParsedKey =>
  Object.create(key, {
    type: { value: 'rsa-sha2-512' },
    sign: { value: (data: Buffer) => key.sign(data, 'sha512') },
  }) as ParsedKey;

/**
 * The key in the forms to offer, one after the other. For an RSA key, ssh2 offers one algorithm only: SHA-256 where the
 * server knows it, even if the server accepts only SHA-512.
 */
export const signaturesToOffer = (key: ParsedKey): ParsedKey[] =>
  key.type === 'ssh-rsa' ? [key, withSha512(key)] : [key];
