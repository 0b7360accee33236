import type { KeyObject } from 'node:crypto';

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const field = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
};

/**
 * Writes an ed25519 key in the OpenSSH format, the only form of it that ssh2 reads (see PROTOCOL.key of OpenSSH). Not
 * encrypted, since it never leaves memory.
 */
export const openSshEd25519 = (key: KeyObject): string => {
  const { d, x } = key.export({ format: 'jwk' });
  if (!d || !x) throw new TypeError('not an ed25519 private key');
  const seed = Buffer.from(d, 'base64url');
  const point = Buffer.from(x, 'base64url');
  const publicBlob = Buffer.concat([field('ssh-ed25519'), field(point)]);
  const check = uint32(0);
  const secret = [check, check, publicBlob, field(Buffer.concat([seed, point])), field('')];
  const unpadded = Buffer.concat(secret);
  const padding = Buffer.from(
    Array.from({ length: (8 - (unpadded.length % 8)) % 8 }, (_, index) => index + 1),
  );
  const blob = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    uint32(1),
    field(publicBlob),
    field(Buffer.concat([unpadded, padding])),
  ]);
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join(
    '\n',
  );
};
