import type { Field } from './fields';

/** Form fields for the SSH key used to sign in to a server. */
export const keyFields = (stored?: { fingerprint: string; setAt: string }): readonly Field[] => [
  {
    name: 'privateKey',
    label: 'Private key',
    type: 'secret',
    rows: 6,
    placeholder: '-----BEGIN OPENSSH PRIVATE KEY-----',
    help: 'OpenSSH or PEM, without the public half. It is stored encrypted and never shown again.',
    ...(stored && { stored }),
  },
  {
    name: 'passphrase',
    label: 'Passphrase',
    type: 'secret',
    optional: true,
    help: 'Only when the key is protected by one.',
  },
];
