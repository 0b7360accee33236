/** What a database may be reached with. The fields below are in the log for ever, where no secret must be. Pure. */
import type { database, ValuesOf } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { JudgeFields, Rules } from '../platform/kit';
import { readHost } from '../platform/outbound';
import { certificatesProblem, identityProblem } from '../platform/tls';

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
    throw invalidField('host', 'Enter a host name or an IP address, without spaces.');
  const problem = certificatesProblem(certificate);
  if (problem !== undefined) throw invalidField('certificate', problem);
};

/** Of a client certificate, which is text only until it is stored. */
export const checkIdentity = ({ clientCertificate }: Readonly<Record<string, unknown>>): void => {
  const problem = typeof clientCertificate === 'string' ? identityProblem(clientCertificate) : undefined;
  if (problem !== undefined) throw invalidField('clientCertificate', problem);
};

export const judgeIdentity: JudgeFields = (after) => Promise.resolve(checkIdentity(after));
