/** Passphrases and identities, read from files or prompted for at the terminal. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Decrypter } from 'age-encryption';
import { UsageError } from '../platform/cli';
import type { Key } from './archive/age';

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
};

/** The file must consist of this one line. */
export const passphraseIn = (file: string): string => {
  const [line = '', ...rest] = textOf(file).split(/\r?\n/);
  if (line === '' || rest.some((one) => one !== ''))
    throw new UsageError(`${file}: one line with the passphrase is expected`);
  return line;
};

const identitiesIn = (text: string, name: string): string[] => {
  const identities = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  for (const identity of identities)
    try {
      new Decrypter().addIdentity(identity);
    } catch {
      throw new UsageError(`${name}: a line is no age identity, which begins with AGE-SECRET-KEY-`);
    }
  if (identities.length === 0) throw new UsageError(`${name}: there is no age identity`);
  return identities;
};

/** Without echo at a terminal. Otherwise reads the next line of standard input. */
const ask = async (question: string): Promise<string> => {
  process.stderr.write(`${question}: `);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  try {
    const line = await new Promise<string>((resolve) => {
      terminal.once('line', resolve);
      terminal.once('close', () => resolve(''));
    });
    process.stderr.write('\n');
    return line.trim();
  } finally {
    terminal.close();
  }
};

export interface KeyFiles {
  identity?: string | undefined;
  'passphrase-file'?: string | undefined;
}

/** Read from the named files, or prompted for. Input with the prefix of an identity counts as one. */
export const keyFrom = async ({ identity, 'passphrase-file': passphrase }: KeyFiles): Promise<Key> => {
  if (identity !== undefined) return { identities: identitiesIn(textOf(identity), identity) };
  if (passphrase !== undefined) return { passphrase: passphraseIn(passphrase) };
  const line = await ask('Identity (AGE-SECRET-KEY-...) or passphrase of the archive');
  if (line === '')
    throw new UsageError('an identity or a passphrase is needed: --identity or --passphrase-file');
  return line.startsWith('AGE-SECRET-KEY-')
    ? { identities: identitiesIn(line, 'the identity') }
    : { passphrase: line };
};
