import { domainColumns, expiriesOf, type DomainRow, type Expiring } from '@quarterdeck/projections';
import type { Call, Reply } from './network';
import { pagesOf } from './pages';
import { sessionOf } from './render';

const at = '2026-11-20T12:00:00.000Z';

/** A domain as the API returns it, with no config applied and no certificate issued. */
export const domainOf = (id: string, more: object = {}) => ({
  id,
  uuid: id,
  workspace: 'w',
  serverName: 'shop.example.org',
  server: { id: '01930000-0000-7000-8000-000000000d01', alias: 'web-1', host: '10.0.0.3' },
  serverId: '01930000-0000-7000-8000-000000000d01',
  locations: [],
  locationIds: [],
  deployLogs: [],
  serviceIds: [],
  dns: { outcome: 'found', addresses: [{ address: '10.0.0.3', family: 4 }], pointsHere: true, at },
  dnsHistory: [],
  configs: [],
  issuances: [],
  refusals: [],
  addedAt: at,
  addedBy: sessionOf().profile.id,
  changedAt: at,
  changedBy: sessionOf().profile.id,
  revision: 3,
  position: '5',
  ...more,
});

/** Answers the call for one page of these domains. */
export const pageOfDomains = (...rows: object[]) =>
  pagesOf(domainColumns({ now: Date.now() }), rows as DomainRow[]);

/** Answers the call for one month of the expiry calendar of these domains. */
export const expiriesAnswer =
  (now: string, domains: readonly object[]) =>
  ({ body }: Call): Reply => {
    const { month } = body as { month?: string };
    return { body: expiriesOf(domains as Expiring[], { month, now }) };
  };
