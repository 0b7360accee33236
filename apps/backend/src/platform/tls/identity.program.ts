/** A certificate and its private key, with which a client shows a server who it is. */
import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A certificate in a text. */
export const BLOCK = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[^-]*-----END \1-----/g;

export const isReadable = (block: string): boolean => {
  try {
    return Boolean(new X509Certificate(block));
  } catch {
    return false;
  }
};

const KEY = /-----BEGIN ((?:[A-Z]+ )?PRIVATE KEY)-----[^]*?-----END \1-----/g;
const EXPECTED = 'from BEGIN CERTIFICATE to END CERTIFICATE, and from BEGIN PRIVATE KEY to END PRIVATE KEY';

/**
 * Why the text is no PEM of a certificate, those that signed it, and its private key; `undefined` if it is, or if it is
 * empty. It never quotes the text.
 */
export const identityProblem = (text: string): string | undefined => {
  if (text.trim() === '') return undefined;
  const certificates = text.match(BLOCK) ?? [];
  const keys = text.match(KEY) ?? [];
  const [certificate = ''] = certificates;
  const [key = ''] = keys;
  if (certificates.length === 0) return `the certificate is missing: PEM is expected, ${EXPECTED}`;
  if (keys.length === 0) return `the private key is missing: PEM is expected, ${EXPECTED}`;
  if (keys.length > 1) return `one private key is expected, not ${keys.length}`;
  if (!certificates.every(isReadable))
    return 'a certificate in it is damaged: paste the file as it is, with its line ends';
  if (/ENCRYPTED/.test(key))
    return 'the private key has a passphrase: enter it without one, as openssl pkey writes it';
  try {
    if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) return undefined;
  } catch {
    return 'the private key is damaged';
  }
  return 'the private key is not the one of the first certificate';
};
