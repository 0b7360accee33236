/** Codes of authenticator apps (RFC 6238): six digits, SHA-1, a new code every 30 seconds. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { base32nopad } from '@scure/base';

const STEP_MS = 30_000;
/** As long as the hash, as RFC 4226 recommends. */
export const SECRET_BYTES = 20;

export const stepAt = (at: Date): number => Math.floor(at.getTime() / STEP_MS);

export const codeOf = (secret: Uint8Array, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
};

/** The step to which the code belongs: the present one, or a neighbour if the clocks differ. */
export const stepOfCode = (secret: Uint8Array, code: string, now: Date): number | undefined => {
  const step = stepAt(now);
  const given = Buffer.from(code);
  return [step, step - 1, step + 1].find((one) => {
    const expected = Buffer.from(codeOf(secret, one));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
};

/** As people type it. */
export const secretText = (secret: Uint8Array): string => base32nopad.encode(secret);
export const secretOf = (text: string): Uint8Array => base32nopad.decode(text);

/** The address in the QR code, which authenticator apps read. `account`: shown below the issuer. */
export const setUpAddress = (secret: string, account: string): string => {
  const issuer = 'Quarterdeck';
  const query = new URLSearchParams({ secret, issuer, algorithm: 'SHA1', digits: '6', period: '30' });
  // Some apps show a `+` as it is.
  const parameters = query.toString().replaceAll('+', '%20');
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?${parameters}`;
};
