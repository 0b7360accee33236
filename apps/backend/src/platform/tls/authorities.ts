/** Certificates that a person enters, and that the console keeps in the log for ever. */
import { plainSecretIn } from '@quarterdeck/events';
import { BLOCK, isReadable } from './identity.program';

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
