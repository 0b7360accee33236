/** A call of a webhook as it came in. Pure. */
import { DomainError, invalidField } from '../platform/errors';
import { refusedSignature } from '../platform/webhook-signature';

export interface WebhookCall {
  token: string;
  signature: string;
  /** Empty: the caller names none. */
  delivery: string;
  body: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const DELIVERY = /^[\x21-\x7e]{1,200}$/;

export const callIn = (headers: Headers, body: string): WebhookCall => {
  const one = (name: string): string => {
    const value = headers[name];
    return typeof value === 'string' ? value : '';
  };
  const delivery = one('x-quarterdeck-delivery');
  if (delivery !== '' && !DELIVERY.test(delivery))
    throw invalidField('X-Quarterdeck-Delivery', 'at most 200 characters without spaces are accepted');
  return {
    token: /^Bearer ([\w-]{20,200})$/i.exec(one('authorization'))?.[1] ?? '',
    signature: one('x-quarterdeck-signature'),
    delivery,
    body,
  };
};

/** Why the signature of a call is refused. A call that need not be signed may be, and is then checked. */
export const refusedCall = (
  { signature, body }: WebhookCall,
  { isSigned, secret }: { isSigned: boolean; secret: string | undefined },
  now: Date,
): string | undefined => {
  if (signature === '' && !isSigned) return undefined;
  if (signature === '') return 'X-Quarterdeck-Signature is missing, and this trigger requires it';
  return secret === undefined
    ? 'the secret of this token is gone: issue another token'
    : refusedSignature(signature, body, secret, now);
};

/** What makes two calls the same one: the id that the caller gives it, or else its signature. */
export const sourceOf = ({ delivery, signature }: WebhookCall, otherwise: string): string => {
  if (delivery !== '') return `delivery ${delivery}`;
  return signature === '' ? `call ${otherwise}` : `signed ${signature}`;
};

/** What one call is accepted as, once: its signature, so whatever a repeated one calls itself, it starts nothing else. */
export const sealOf = ({ signature }: WebhookCall, source: string): string => signature || source;

export const MAX_A_MINUTE = 60;

export const tooManyCalls = (): DomainError =>
  new DomainError('tooMany', `a webhook starts at most ${MAX_A_MINUTE} instances a minute`, undefined, {
    retryAfter: 30,
  });
