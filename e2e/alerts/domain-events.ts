/** Domains as events only, without servers and certificates: alerts depend only on events. */
import type { AppEvent, NewEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import { v7 as uuidv7 } from 'uuid';
import { appendAtEnd } from '../../testing/log-events';

const DAY_MS = 24 * 60 * 60_000;

export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

export const domainAdded = (serverName: string): AppEvent => ({
  type: 'DomainAdded',
  data: { serverName, server: uuidv7(), addresses: [{ address: '127.0.0.1', family: 4 }] },
});

/** The certificate expires in that many days. */
export const certificateServed = (serverName: string, days: number, serial = '01'): AppEvent => ({
  type: 'CertificateServed',
  data: {
    valid: true,
    served: {
      serial,
      issuer: 'Test CA',
      names: [serverName],
      notBefore: inDays(days - 90),
      notAfter: inDays(days),
      protocol: 'TLSv1.3',
    },
  },
});

export const domainRemoved = (serverName: string): AppEvent => ({
  type: 'DomainRemoved',
  data: { serverName, kept: { config: true, certificate: true } },
});

export const metaOf = (workspace: string): NewEvent['meta'] => {
  const id = uuidv7();
  return {
    id,
    at: new Date().toISOString(),
    actor: 'system',
    workspace,
    correlationId: id,
    causationId: id,
    v: '1',
  };
};

/** Appends to a domain's stream, whatever its revision. */
export const tellOfDomain = async (
  store: EventStore,
  workspace: string,
  domain: string,
  ...events: AppEvent[]
): Promise<void> => {
  const told = events.map(({ type, data }) => ({ type, data, meta: metaOf(workspace) }) as NewEvent);
  await appendAtEnd(store, `domain-${domain}`, told);
};
