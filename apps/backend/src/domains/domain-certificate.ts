/** The certificate of a domain: what was issued for it, and what the domain presents. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { certificateEvents } from '@quarterdeck/events/catalogue';
import { covers } from '@quarterdeck/projections';
import { command, type CommandOf } from '../platform/decider';
import { DomainError } from '../platform/errors';

type CertificateEvent = EventsOf<typeof certificateEvents>;
export type CertificateFacts = EventData<'CertificateIssued'>;
export type Served = EventData<'CertificateServed'>;

export interface CertificateState {
  issued?: CertificateFacts;
  served?: Served;
}

/** The certificate on the server after certbot has run. The first one counts as issued, another one as renewed. */
export class IssueCertificate extends command('IssueCertificate', { idempotent: true })<CertificateFacts>() {}
export class RefuseCertificate extends command('RefuseCertificate')<EventData<'CertificateRefused'>>() {}
export class RecordWastedOrder extends command('RecordWastedOrder')<EventData<'CertificateOrderWasted'>>() {}
export class RemoveCertificate extends command('RemoveCertificate', { idempotent: true })<object>() {}
/**
 * Result of a check over the network, recorded if it differs from the last one. The name is the one that was checked:
 * the domain may have another one by the time the result is recorded.
 */
export class RecordServed extends command('RecordServed', { idempotent: true })<{
  serverName: string;
  served: Served;
}>() {}
export const certificateCommands = [
  IssueCertificate,
  RefuseCertificate,
  RecordWastedOrder,
  RemoveCertificate,
  RecordServed,
];

const sameServed = (a: Served | undefined, b: Served): boolean =>
  a !== undefined &&
  a.valid === b.valid &&
  a.code === b.code &&
  a.served?.serial === b.served?.serial &&
  a.served?.issuer === b.served?.issuer &&
  a.served?.notAfter === b.served?.notAfter;

export const decideCertificate = (
  given: CommandOf<typeof certificateCommands>,
  serverName: string,
  { issued, served }: CertificateState,
): CertificateEvent[] => {
  switch (given.type) {
    case 'IssueCertificate':
      if (!covers(given.data.names, serverName))
        throw new DomainError(
          'conflict',
          `this domain is now called ${serverName}: the certificate on the server is for ${given.data.names.join(', ')}`,
        );
      if (!issued) return [{ type: 'CertificateIssued', data: given.data }];
      return issued.fingerprint === given.data.fingerprint
        ? []
        : [{ type: 'CertificateRenewed', data: { ...given.data, previous: issued.serial } }];
    case 'RefuseCertificate':
      return [{ type: 'CertificateRefused', data: given.data }];
    case 'RecordWastedOrder':
      return [{ type: 'CertificateOrderWasted', data: given.data }];
    case 'RemoveCertificate':
      return issued ? [{ type: 'CertificateRemoved', data: { serial: issued.serial } }] : [];
    case 'RecordServed':
      if (given.data.serverName !== serverName || sameServed(served, given.data.served)) return [];
      return [{ type: 'CertificateServed', data: given.data.served }];
  }
};

export const evolveCertificate = (state: CertificateState, event: CertificateEvent): CertificateState => {
  switch (event.type) {
    case 'CertificateIssued':
      return { ...state, issued: event.data };
    case 'CertificateRenewed': {
      const { previous: _, ...issued } = event.data;
      return { ...state, issued };
    }
    case 'CertificateRemoved': {
      const { issued: _, ...rest } = state;
      return rest;
    }
    case 'CertificateServed':
      return { ...state, served: event.data };
    case 'CertificateRefused':
    case 'CertificateOrderWasted':
      return state;
  }
};
