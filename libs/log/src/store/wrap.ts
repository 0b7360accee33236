/** AES-256-GCM for values that others can read: nonce, authentication tag, ciphertext. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE = 12;
const TAG = 16;

/** @param about is authenticated too, so the bytes do not decrypt in another place */
export const wrap = (key: Buffer, plain: Buffer, about: string): Buffer => {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  const wrapped = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), wrapped]);
};

/** @throws if the key, the bytes or `about` differ from those used for wrapping */
export const unwrap = (key: Buffer, wrapped: Buffer, about: string): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(Buffer.from(about)).setAuthTag(wrapped.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(wrapped.subarray(NONCE + TAG)), decipher.final()]);
};
