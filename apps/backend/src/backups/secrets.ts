/** Passphrases, from files. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../platform/cli';

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
};

/** The first line of a file, which has nothing else. */
export const passphraseIn = (file: string): string => {
  const [line = '', ...rest] = textOf(file).split(/\r?\n/);
  if (line === '' || rest.some((one) => one !== ''))
    throw new UsageError(`${file}: one line with the passphrase is expected`);
  return line;
};
