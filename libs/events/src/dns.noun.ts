import { defineNoun } from './define-noun';
import type { dnsEvents } from './dns.events';

export const dnsRecord = defineNoun<typeof dnsEvents>()({
  category: 'dnsrecord',
  words: { many: 'DNS records', one: 'One DNS record' },
  stale: ['domains'],
  audience: 'admin',
  named: 'name',
  events: {
    DnsRecordRequested: (d) =>
      `requested the DNS record ${d.name} to ${d.address} in ${d.zone}${d.replaces ? `, replacing ${d.replaces}` : ''}`,
    DnsRecordAdded: (d) =>
      `added the DNS record ${d.name} to ${d.address} in ${d.zone}${d.replaced ? `, replacing ${d.replaced}` : ''}`,
    DnsRecordFailed: (d) =>
      `could not add the DNS record ${d.name} to ${d.address} in ${d.zone}: ${d.reason}`,
  },
});
