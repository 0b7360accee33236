import type { certificateEvents } from './certificates.events';
import { defineNoun } from './define-noun';
import type { domainEvents } from './domains.events';
import { addressesOf, day, days, pathOf } from './placement-words';

export const domain = defineNoun<typeof domainEvents & typeof certificateEvents>()({
  category: 'domain',
  words: { many: 'Domains', one: 'One domain' },
  rows: 'domains',
  audience: 'admin',
  named: 'serverName',
  events: {
    DomainAdded: (d) => `added ${d.serverName}, which points to ${addressesOf(d.addresses)}`,
    DomainRenamed: (d) => `renamed to ${d.serverName}`,
    DomainMoved: () => 'moved to another server',
    DomainRemoved: (d) =>
      `removed ${d.serverName}${d.kept.config ? ', its configuration stays on the server' : ''}${d.kept.certificate ? ', its certificate stays' : ''}`,
    DomainRestored: (d) => `put ${d.serverName} back`,
    DomainAlertsConfigured: (d) =>
      `set alerts to ${d.thresholds === null ? 'those of the workspace' : days(d.thresholds)}`,
    LocationAdded: (d) => `added location ${pathOf(d.location)}`,
    LocationRevised: (d) => `revised location ${pathOf(d.location)}`,
    LocationRemoved: (d) => `removed location ${d.location}`,
    DnsAnswerChanged: (d) =>
      d.outcome === 'found'
        ? `found DNS ${d.pointsHere ? 'correct' : 'wrong'}: ${addressesOf(d.addresses)}`
        : d.outcome === 'none'
          ? 'found no address any more'
          : `could not look it up: ${d.reason ?? 'no answer'}`,
    SiteConfigApplied: (d) =>
      `${d.restored ? 'put an earlier configuration back' : 'applied configuration'} ${d.sha256.slice(0, 8)}${d.options.ssl ? ' with SSL' : ''}`,
    SiteConfigDrifted: (d) =>
      d.found
        ? `found another configuration on the server: ${d.found.sha256.slice(0, 8)}`
        : 'found no configuration on the server any more',
    SiteConfigReturned: (d) => `found configuration ${d.sha256.slice(0, 8)} on the server again`,
    SiteConfigAdopted: (d) => `adopted configuration ${d.sha256.slice(0, 8)}`,
    SiteConfigRemoved: (d) => `removed configuration ${d.file}`,
    CertificateIssued: (d) => `got a certificate by ${d.issuer} until ${day(d.notAfter)}`,
    CertificateRenewed: (d) => `renewed its certificate by ${d.issuer} until ${day(d.notAfter)}`,
    CertificateRefused: (d) => `got no certificate: ${d.detail}`,
    CertificateRemoved: () => 'removed its certificate',
    CertificateServed: (d) =>
      d.served
        ? `found it serving a certificate by ${d.served.issuer} until ${day(d.served.notAfter)}${d.valid ? '' : `: ${d.reason ?? 'not valid'}`}`
        : `found it serving no certificate: ${d.reason ?? 'no answer'}`,
  },
  removedBy: 'DomainRemoved',
  restoredBy: 'DomainRestored',
  undo: [
    'DomainRenamed',
    'DomainMoved',
    'DomainAlertsConfigured',
    'DomainRemoved',
    'LocationAdded',
    'LocationRevised',
    'LocationRemoved',
  ],
});
