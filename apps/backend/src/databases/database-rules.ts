/** What a database may be reached with. The fields below are in the log for ever, where no secret must be. Pure. */
import { X509Certificate } from 'node:crypto';
import { plainSecretIn, type database, type ValuesOf } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { Rules } from '../platform/kit';
import { readHost } from '../platform/outbound';

type Fields = ValuesOf<typeof database>;

export const databaseRules: Rules<Fields> = {
  decide: ({ data }, plain) => {
    checkReached(data ?? {});
    return plain();
  },
};

/** Only what is given is checked. */
export const checkReached = ({
  host,
  certificate = '',
}: Partial<Pick<Fields, 'host' | 'certificate'>>): void => {
  // An address such as mysql://user:password@host would put its password into the history.
  if (host !== undefined && readHost(host) === undefined)
    throw invalidField('host', 'a host name or an IP address is expected');
  const found = plainSecretIn(certificate);
  if (found) throw invalidField('certificate', `line ${found.line} looks like ${found.what}: leave it out`);
  if (certificate.trim() !== '' && !isPem(certificate))
    throw invalidField(
      'certificate',
      'a PEM certificate is expected, from BEGIN CERTIFICATE to END CERTIFICATE, or several',
    );
};

const BLOCK = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[^-]*-----END \1-----/g;

const isPem = (text: string): boolean => {
  const blocks = text.match(BLOCK) ?? [];
  return blocks.length > 0 && blocks.every(isReadable);
};

const isReadable = (block: string): boolean => {
  try {
    return Boolean(new X509Certificate(block));
  } catch {
    return false;
  }
};
