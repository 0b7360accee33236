import { SshFailure } from './failure';

export const passphraseMissing = () =>
  new SshFailure('passphraseMissing', 'This private key is encrypted. Enter its passphrase as well.');
export const passphraseWrong = () =>
  new SshFailure(
    'passphraseWrong',
    'The passphrase does not open this private key. Check it and enter it again.',
  );
export const badKey = (why: string, cause?: unknown) =>
  new SshFailure('badKey', `${why} Paste the whole private key, from its BEGIN line to its END line.`, {
    cause,
  });
export const puttyKey = () =>
  new SshFailure(
    'badKey',
    'This is a key file of PuTTY in a form that only PuTTY reads. Open it in PuTTYgen and choose Conversions, Export OpenSSH key, or run puttygen <file> -O private-openssh -o <new file>. Then paste the new file.',
  );
export const dsaKey = () =>
  new SshFailure(
    'badKey',
    'This is a DSA key, which no current SSH server accepts. Make another one: ssh-keygen -t ed25519.',
  );
export const unknownCipher = (cipher: string) =>
  new SshFailure(
    'badKey',
    `This private key is encrypted with ${cipher}, which cannot be read here. Encrypt it with another cipher: ssh-keygen -p -Z aes256-ctr -f <file>.`,
  );
export const longKey = (bits: number, most: number) =>
  new SshFailure(
    'badKey',
    `This RSA key has ${bits} bits, and keys of more than ${most} bits are too slow to sign with. Make another one: ssh-keygen -t ed25519.`,
  );
