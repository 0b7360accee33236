/** What a database may be reached with. The fields below are in the log for ever, where no secret must be. Pure. */
import type { database, ValuesOf } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { Rules } from '../platform/kit';
import { readHost } from '../platform/outbound';
import { certificatesProblem } from '../platform/tls';

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
