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
