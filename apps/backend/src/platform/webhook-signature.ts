/** The signature of webhooks, of those that the console sends and of those that it receives. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the clocks of sender and receiver may differ. An older signature is a replay. */
export const SIGNATURE_SECONDS = 300;

type Body = string | Uint8Array;

const macOf = (body: Body, secret: string, seconds: string): string =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');

/**
 * `t=<unix seconds>,v1=<HMAC-SHA256 of "t.body" in hexadecimal>`. The time is signed too, so that an intercepted
 * delivery cannot be replayed later.
 */
export const signatureOf = (body: Body, secret: string, at: Date): string => {
  const t = String(Math.floor(at.getTime() / 1000));
  return `t=${t},v1=${macOf(body, secret, t)}`;
};

/** Why a signature is refused; undefined if it is good. */
export const refusedSignature = (
  signature: string,
  body: Body,
  secret: string,
  now: Date,
): string | undefined => {
  const [, seconds, mac] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (seconds === undefined || mac === undefined)
    return 'X-Quarterdeck-Signature is not t=<unix seconds>,v1=<64 hexadecimal digits>';
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(body, secret, seconds))))
    return 'the signature is not that of this body with the secret of this token';
  const away = Math.abs(now.getTime() / 1000 - Number(seconds));
  return away > SIGNATURE_SECONDS
    ? `the signature is not of the last ${SIGNATURE_SECONDS / 60} minutes: check the clock`
    : undefined;
};

/**
 * Why a signature of a source host (`X-Hub-Signature-256`) is refused; undefined if it is good. It has no time in it, so who
 * asks has to notice a delivery that comes again.
 *
 * @param secrets any of these may have signed it
 */
export const refusedHubSignature = (
  signature: string,
  body: Body,
  secrets: readonly string[],
): string | undefined => {
  const [, sent] = /^sha256=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (sent === undefined) return 'X-Hub-Signature-256 is not sha256=<64 hexadecimal digits>';
  const macs = secrets.map((secret) => createHmac('sha256', secret).update(body).digest('hex'));
  // All of them, so that the time does not tell which one it was.
  const isGood = macs.filter((mac) => timingSafeEqual(Buffer.from(sent), Buffer.from(mac))).length > 0;
  return isGood ? undefined : 'the signature is not that of this body with a secret of this service';
};
