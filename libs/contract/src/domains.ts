/** Domains: where they point, and when their certificates are renewed. */
import {
  byId,
  domainAlerts,
  domainDelete,
  domainExpiries,
  domainInsert,
  domainPageByServer,
  domainUpdate,
  domainsByServer,
  listPage,
} from '@quarterdeck/events/inputs';
import {
  dnsAnswer,
  domainRow,
  domainView,
  expiryCalendar,
  listPageOf,
  nextRenewal,
} from '@quarterdeck/projections';
import { z } from 'zod';
import { ids, ignored } from './answers';
import { calls } from './call';

export const domains = calls('domain', {
  renewal: {
    summary: 'When and why the certificate of a domain is renewed next, and whether it can be renewed now',
    access: 'admin',
    input: byId,
    answer: nextRenewal,
    shows: 'domains',
    volatile: true,
  },
  list: {
    summary: 'The domains of the workspace',
    access: 'admin',
    method: 'GET',
    input: ignored,
    answer: z.array(domainRow),
    shows: 'domains',
    asOf: true,
  },
  page: {
    summary: 'One page of the domains, those that need attention first',
    access: 'admin',
    input: listPage,
    answer: listPageOf(domainRow),
    shows: 'domains',
    asOf: true,
  },
  listByServer: {
    summary: 'The domains of one server',
    access: 'admin',
    input: domainsByServer,
    answer: z.array(domainRow),
    shows: 'domains',
    asOf: true,
  },
  pageByServer: {
    summary: 'One page of the domains of one server, those that need attention first',
    access: 'admin',
    input: domainPageByServer,
    answer: listPageOf(domainRow),
    shows: 'domains',
    asOf: true,
  },
  expiries: {
    summary: 'When the certificates expire: the days of one month, and how many in each of 13 months',
    access: 'admin',
    input: domainExpiries,
    answer: expiryCalendar,
    shows: 'domains',
    asOf: true,
  },
  detail: {
    summary: 'One domain',
    access: 'admin',
    input: byId,
    answer: domainView,
    shows: 'domains',
    asOf: true,
  },
  insert: {
    summary: "Adds a domain whose DNS address is the server's",
    access: 'admin',
    input: domainInsert,
    answer: ids,
    stales: 'domains',
  },
  update: {
    summary: 'Renames a domain, or moves it to another server',
    access: 'admin',
    input: domainUpdate,
    answer: ids,
    stales: 'domains',
  },
  delete: {
    summary: 'Removes a domain; with `runId` as soon as that run has cleaned up its server',
    access: 'admin',
    input: domainDelete,
    answer: ids.extend({ runId: z.string().optional() }),
    stales: 'domains',
  },
  checkDns: {
    summary: "Checks the domain's DNS now; a changed answer is recorded",
    access: 'admin',
    path: 'dns/check',
    input: byId,
    answer: dnsAnswer,
    stales: 'domains',
  },
  alerts: {
    summary: 'Days before the end of its certificate at which an alert is raised',
    access: 'admin',
    input: domainAlerts,
    answer: ids,
    stales: 'domains',
  },
});
