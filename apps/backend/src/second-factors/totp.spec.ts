import { codeOf, secretOf, secretText, setUpAddress, stepAt, stepOfCode } from './totp';

/** RFC 6238, appendix B. Its codes have eight digits; the last six are those of a code of six. */
const secret = Buffer.from('12345678901234567890');
const vectors = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

it.each(vectors)('the code at second %d is that of RFC 6238', (second, code) => {
  expect(codeOf(secret, stepAt(new Date(second * 1000)))).toBe(code.slice(2));
});

it('accepts the code of the present step and of its neighbours, and names the step', () => {
  const now = new Date(1_234_567_890_000);
  const step = stepAt(now);
  for (const near of [step - 1, step, step + 1])
    expect(stepOfCode(secret, codeOf(secret, near), now)).toBe(near);
  for (const far of [step - 2, step + 2])
    expect(stepOfCode(secret, codeOf(secret, far), now)).toBeUndefined();
  expect(stepOfCode(secret, '', now)).toBeUndefined();
});

it('writes the secret in base32, and puts it into the address that apps read', () => {
  const text = secretText(secret);
  expect(text).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(Buffer.from(secretOf(text))).toEqual(secret);
  expect(setUpAddress(text, 'harbour: ada@example.org')).toBe(
    `otpauth://totp/Quarterdeck:harbour%3A%20ada%40example.org?secret=${text}&issuer=Quarterdeck&algorithm=SHA1&digits=6&period=30`,
  );
});
