/** A secret that a server repeats is masked in each form that libraries write. covers: REQ-02 */
import { Masking } from './answer-masking';

const SECRET = `S3cr"t/+<é>&'${'x'.repeat(3)}`;
const masking = new Masking([], [SECRET]);
const bytes = Buffer.from(SECRET);

it.each([
  ['as it is', SECRET],
  ['in the name of a host', SECRET.toLowerCase()],
  ['in an address', encodeURIComponent(SECRET)],
  [
    'in an address, in small letters',
    encodeURIComponent(SECRET).replaceAll(/%../g, (code) => code.toLowerCase()),
  ],
  ['in a form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
  ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['in JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
  ['in JSON of ASCII', JSON.stringify(SECRET).slice(1, -1).replaceAll('é', '\\u00e9')],
  [
    'in JSON for HTML',
    JSON.stringify(SECRET)
      .slice(1, -1)
      .replaceAll(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
  ],
  [
    'in HTML',
    SECRET.replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  ],
  ['in Base64', bytes.toString('base64')],
  ['in Base64 for addresses', bytes.toString('base64url')],
  ['in hexadecimal', bytes.toString('hex')],
])('%s', (_, form) => {
  const body = Buffer.from(`{"echo": "${form}"}`);
  expect(masking.body(body).toString()).toMatch(/^\{"echo": "[^\w]{7,}=*"\}$/);
  expect(masking.text(`before ${form} after`)).not.toContain(form);
});

it.each(['', 'a', 'ab', 'abc', 'user:'])('in Base64 of a longer text that begins with "%s"', (before) => {
  const encoded = Buffer.from(`${before}${SECRET} and more`).toString('base64');
  const masked = masking.text(encoded);
  expect(Buffer.from(masked.replaceAll(/[^\w+/=]/g, 'A'), 'base64').toString()).not.toMatch(/S3cr|x{3}/);
});

it('in a header, which has one character for each byte', () => {
  const header = bytes.toString('latin1');
  expect(masking.pairs([['x-echo', header]])[0]?.[1]).not.toContain('S3cr');
});

it('at the end of a body that was cut within it', () => {
  const body = Buffer.from(`x=${SECRET.slice(0, 6)}`);
  expect(masking.body(body, true).toString()).toBe('x=');
  expect(masking.body(body).equals(body)).toBe(true);
});

it('not in a text that merely resembles it', () => {
  const body = Buffer.from(`s3cret ${encodeURIComponent('S3cr"u')}`);
  expect(masking.body(body)).toBe(body);
});
