// covers: WF-02
import { signatureOf } from '../platform/webhook-signature';
import { callIn, refusedCall, sourceOf } from './webhook-call';

const secret = 'qd_sign_secret';
const token = `qd_flow_${'t'.repeat(43)}`;
const now = new Date('2026-06-15T12:00:00Z');
const body = JSON.stringify({ order: 42, lines: [{ sku: 'A-1', quantity: 2 }] });
const signature = signatureOf(body, secret, now);
const headers = { authorization: `Bearer ${token}`, 'x-quarterdeck-signature': signature };

const isAccepted = (given: Record<string, string>, text: string): boolean => {
  try {
    const call = callIn(given, text);
    return call.token === token && refusedCall(call, { isSigned: true, secret }, now) === undefined;
  } catch {
    return false;
  }
};

/** A generator of numbers that is the same each time. */
const numbers = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};

const mutated = (text: string, random: () => number): string => {
  const at = Math.floor(random() * text.length);
  const char = String.fromCharCode(32 + Math.floor(random() * 95));
  switch (Math.floor(random() * 5)) {
    case 0:
      return text.slice(0, at) + char + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + text.slice(at + 1);
    case 2:
      return text.slice(0, at) + char + text.slice(at);
    case 3:
      return text + text.slice(at);
    default:
      return text.slice(0, at);
  }
};

it('of 10,000 changed calls none is accepted, except where nothing that counts was changed', () => {
  const random = numbers(47);
  expect(isAccepted(headers, body)).toBe(true);
  for (let n = 0; n < 10_000; n++) {
    const given = { ...headers };
    let text = body;
    const part = n % 3;
    if (part === 0) text = mutated(text, random);
    if (part === 1) given['x-quarterdeck-signature'] = mutated(signature, random);
    if (part === 2) given.authorization = mutated(given.authorization, random);
    const sameToken = /^Bearer (.*)$/i.exec(given.authorization)?.[1] === token;
    const isSame = text === body && given['x-quarterdeck-signature'] === signature && sameToken;
    expect({ n, given, text, isAccepted: isAccepted(given, text) }).toEqual({
      n,
      given,
      text,
      isAccepted: isSame,
    });
  }
});

it.each([
  ['no signature where one is required', { signature: '' }, /is missing/],
  ['a signature of another secret', { signature: signatureOf(body, 'other', now) }, /not that of this body/],
  [
    'an old signature',
    { signature: signatureOf(body, secret, new Date(now.getTime() - 301_000)) },
    /last 5 minutes/,
  ],
  [
    'a signature of the future',
    { signature: signatureOf(body, secret, new Date(now.getTime() + 301_000)) },
    /clock/,
  ],
])('refuses %s', (_, change, reason) => {
  const call = { token, delivery: '', body, ...change };
  expect(refusedCall(call, { isSigned: true, secret }, now)).toMatch(reason);
});

it('checks a signature even where none is required', () => {
  const call = { token, delivery: '', body, signature: 't=1,v1=00' };
  expect(refusedCall({ ...call, signature: '' }, { isSigned: false, secret }, now)).toBeUndefined();
  expect(refusedCall(call, { isSigned: false, secret }, now)).toMatch(/is not t=/);
  expect(refusedCall({ ...call, signature }, { isSigned: false, secret: undefined }, now)).toMatch(/is gone/);
});

it('knows a call again by the id that its sender gives it, or else by its signature', () => {
  const call = { token, delivery: 'd-1', body, signature };
  expect(sourceOf(call, 'x')).toBe(sourceOf({ ...call, signature: 'other' }, 'y'));
  expect(sourceOf({ ...call, delivery: '' }, 'x')).toBe(sourceOf({ ...call, delivery: '' }, 'y'));
  expect(sourceOf({ ...call, delivery: '', signature: '' }, 'x')).not.toBe(
    sourceOf({ ...call, delivery: '', signature: '' }, 'y'),
  );
  // What a sender may choose never looks like a signature.
  expect(sourceOf({ ...call, delivery: signature }, 'x')).not.toBe(sourceOf({ ...call, delivery: '' }, 'x'));
});

it.each(['a b', 'é', 'x'.repeat(201), 'a\tb'])('refuses the delivery id %j', (delivery) => {
  expect(() => callIn({ ...headers, 'x-quarterdeck-delivery': delivery }, body)).toThrow(/at most 200/);
});
