// covers: OPS-06
import { refusedHubSignature } from './webhook-signature';

// The example of GitHub's documentation.
const [secret, body] = ["It's a Secret to Everybody", 'Hello, World!'];
const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

it('accepts what any of the secrets has signed', () => {
  expect(refusedHubSignature(signature, body, [secret])).toBeUndefined();
  expect(refusedHubSignature(signature, Buffer.from(body), ['another', secret])).toBeUndefined();
});

it('refuses another body, another secret, no secret and another form', () => {
  const wrong = 'the signature is not that of this body with a secret of this service';
  expect(refusedHubSignature(signature, 'Hello, World?', [secret])).toBe(wrong);
  expect(refusedHubSignature(signature, body, ['another'])).toBe(wrong);
  expect(refusedHubSignature(signature, body, [])).toBe(wrong);
  for (const form of ['', 'sha1=abc', signature.toUpperCase(), `${signature}0`])
    expect(refusedHubSignature(form, body, [secret])).toBe(
      'X-Hub-Signature-256 is not sha256=<64 hexadecimal digits>',
    );
});
