/** AES-256-GCM over what has to be kept where others can read it: nonce, authentication tag, ciphertext. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE = 12;
const TAG = 16;

/** @param about is authenticated with it: the same bytes copied to another place do not open there */
export const wrap = (key: Buffer, plain: Buffer, about: string): Buffer => {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  const wrapped = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), wrapped]);
};

/** @throws when the key, the bytes or what they are about are not what they were wrapped with */
export const unwrap = (key: Buffer, wrapped: Buffer, about: string): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(Buffer.from(about)).setAuthTag(wrapped.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(wrapped.subarray(NONCE + TAG)), decipher.final()]);
};
