/** Converts the result of a check over the network to an event of the domain. Pure. */
import type { EventData } from '@quarterdeck/events';
import type { TlsCheck } from '../platform/tls';

export type Served = EventData<'CertificateServed'>;

export const servedOf = (check: TlsCheck): Served => {
  if (!check.reachable) return { valid: false, ...check.problem };
  const { serial, issuer, names, notBefore, notAfter } = check.certificate;
  return {
    valid: check.valid,
    served: { serial, issuer, names, notBefore, notAfter, protocol: check.protocol },
    ...check.problem,
  };
};
