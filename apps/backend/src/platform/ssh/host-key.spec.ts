import { signaturesToAskFor } from './host-key';

it('asks a host for the pinned kind of key', () => {
  expect(signaturesToAskFor(undefined)[0]).toBe('ssh-ed25519');
  expect(signaturesToAskFor({ algorithm: 'ssh-ed25519', fingerprint: '' })[0]).toBe('ssh-ed25519');
  expect(signaturesToAskFor({ algorithm: 'ssh-rsa', fingerprint: '' }).slice(0, 3)).toEqual([
    'rsa-sha2-512',
    'rsa-sha2-256',
    'ssh-rsa',
  ]);
  expect(signaturesToAskFor({ algorithm: 'ecdsa-sha2-nistp384', fingerprint: '' })[0]).toBe(
    'ecdsa-sha2-nistp384',
  );
});

it('asks for all other kinds after that', () => {
  const asked = signaturesToAskFor({ algorithm: 'ssh-rsa', fingerprint: '' });
  expect([...asked].sort()).toEqual([...signaturesToAskFor(undefined)].sort());
});
