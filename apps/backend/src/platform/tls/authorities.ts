/** Certificates that a person enters, and that the console keeps in the log for ever. */
import { X509Certificate } from 'node:crypto';
import { plainSecretIn } from '@quarterdeck/events';

const BLOCK = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[^-]*-----END \1-----/g;

const isReadable = (block: string): boolean => {
  try {
    return Boolean(new X509Certificate(block));
  } catch {
    return false;
  }
};

/** Why the text is no PEM of certificates, as a sentence; `undefined` if it is, or if there is none. */
export const certificatesProblem = (text: string): string | undefined => {
  if (text.trim() === '') return undefined;
  const secret = plainSecretIn(text);
  if (secret) return `line ${secret.line} looks like ${secret.what}: leave it out`;
  const blocks = text.match(BLOCK) ?? [];
  return blocks.length > 0 && blocks.every(isReadable)
    ? undefined
    : 'a PEM certificate is expected, from BEGIN CERTIFICATE to END CERTIFICATE, or several';
};
