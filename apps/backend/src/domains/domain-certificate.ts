/** The certificate of a domain: what was issued for it, and what the domain presents. */
import type { EventData } from '@quarterdeck/events';
import { covers } from '@quarterdeck/projections';
import { command } from '../platform/decider';
import { DomainError } from '../platform/errors';
import { ofPresent, type Changes } from './domain-state';

export type CertificateFacts = EventData<'CertificateIssued'>;
export type Served = EventData<'CertificateServed'>;

/** The certificate on the server after certbot has run. The first one counts as issued, another one as renewed. */
export class IssueCertificate extends command('IssueCertificate', { idempotent: true })(
  ofPresent((data: CertificateFacts, { serverName, certificate: { issued } }) => {
    if (!covers(data.names, serverName))
      throw new DomainError(
        'conflict',
        `this domain is now called ${serverName}: the certificate on the server is for ${data.names.join(', ')}`,
      );
    if (!issued) return [{ type: 'CertificateIssued', data }];
    return issued.fingerprint === data.fingerprint
      ? []
      : [{ type: 'CertificateRenewed', data: { ...data, previous: issued.serial } }];
  }),
) {}

export class RefuseCertificate extends command('RefuseCertificate')(
  ofPresent((data: EventData<'CertificateRefused'>) => [{ type: 'CertificateRefused', data }]),
) {}

export class RecordWastedOrder extends command('RecordWastedOrder')(
  ofPresent((data: EventData<'CertificateOrderWasted'>) => [{ type: 'CertificateOrderWasted', data }]),
) {}

export class RemoveCertificate extends command('RemoveCertificate', { idempotent: true })(
  ofPresent((_: object, { certificate: { issued } }) =>
    issued ? [{ type: 'CertificateRemoved', data: { serial: issued.serial } }] : [],
  ),
) {}

const sameServed = (a: Served | undefined, b: Served): boolean =>
  a !== undefined &&
  a.valid === b.valid &&
  a.code === b.code &&
  a.served?.serial === b.served?.serial &&
  a.served?.issuer === b.served?.issuer &&
  a.served?.notAfter === b.served?.notAfter;

/**
 * Result of a check over the network, recorded if it differs from the last one. The name is the one that was checked:
 * the domain may have another one by the time the result is recorded.
 */
export class RecordServed extends command('RecordServed', { idempotent: true })(
  ofPresent(({ serverName, served }: { serverName: string; served: Served }, domain) =>
    serverName !== domain.serverName || sameServed(domain.certificate.served, served)
      ? []
      : [{ type: 'CertificateServed', data: served }],
  ),
) {}

export const certificateCommands = [
  IssueCertificate,
  RefuseCertificate,
  RecordWastedOrder,
  RemoveCertificate,
  RecordServed,
] as const;

export const certificateChanges: Changes = {
  CertificateIssued: ({ certificate }, issued) => ({ certificate: { ...certificate, issued } }),
  CertificateRenewed: ({ certificate }, data) => {
    const { previous: _, ...issued } = data;
    return { certificate: { ...certificate, issued } };
  },
  CertificateRemoved: ({ certificate }) => ({ certificate: { ...certificate, issued: undefined } }),
  CertificateServed: ({ certificate }, served) => ({ certificate: { ...certificate, served } }),
};
