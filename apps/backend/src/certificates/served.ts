/** What a check over the wire found, as a domain's stream keeps it. Pure. */
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
