import type { certificateEvents } from './certificates.events';
import { defineNoun } from './define-noun';
import type { domainEvents } from './domains.events';
import { addressesOf, answerWords, day, days, namesOf, pathOf, pointingWords } from './placement-words';
import { settingsInWords, siteSettingWords } from './site-setting-words';

const nameOf = ({ serverName }: { serverName: string }): string => serverName;

export const domain = defineNoun<typeof domainEvents & typeof certificateEvents>()({
  category: 'domain',
  words: { many: 'Domains', one: 'One domain' },
  rows: 'domains',
  within: 'server',
  movedBy: 'DomainMoved',
  audience: 'admin',
  // Events about files that a domain has left on a server have the name that it had there.
  named: { DomainAdded: nameOf, DomainRenamed: nameOf, DomainRemoved: nameOf, DomainRestored: nameOf },
  events: {
    DomainAdded: (d) => `added ${d.serverName}, which points to ${addressesOf(d.addresses)}`,
    DomainRenamed: (d) => `renamed to ${d.serverName}`,
    DomainMoved: () => 'moved to another server',
    DomainFilesAbandoned: (d) =>
      `left its ${[d.config && 'configuration', d.certificate && 'certificate'].filter(Boolean).join(' and ')} on ${d.alias}`,
    DomainFilesReturned: (d) => `found its files of ${d.serverName} again`,
    DomainFilesRemoved: (d) => `removed the files of ${d.serverName} that it had left on a server`,
    DomainRemoved: (d) =>
      `removed ${d.serverName}${d.kept.config ? ', kept its configuration on the server' : ''}${d.kept.certificate ? ', kept its certificate' : ''}`,
    DomainRestored: (d) => `restored ${d.serverName}`,
    DomainAlertsConfigured: (d) =>
      `set alerts to ${d.thresholds === null ? 'the thresholds of the workspace' : days(d.thresholds)}`,
    SiteSettingsChanged: (d) => `set the site to ${settingsInWords(siteSettingWords, d.settings)}`,
    SiteNamesChanged: (d) =>
      d.names.length === 0
        ? 'removed all other names of the site'
        : `set the other names of the site to ${namesOf(d.names)}`,
    LocationAdded: (d) => `added location ${pathOf(d.location)}`,
    LocationRevised: (d) => `changed location ${pathOf(d.location)}`,
    LocationRemoved: (d) => `removed location ${d.location}`,
    DnsAnswerChanged: (d) =>
      [pointingWords(d), ...(d.names ?? []).map((one) => `${one.name}: ${pointingWords(one)}`)].join('; '),
    SiteConfigApplied: (d) =>
      `${d.restored ? 'restored' : 'applied'} configuration ${d.sha256.slice(0, 8)}${d.options.ssl ? ' with SSL' : ''}`,
    SiteConfigDrifted: (d) =>
      d.found
        ? `found a different configuration on the server: ${d.found.sha256.slice(0, 8)}`
        : 'found that the configuration is missing on the server',
    SiteConfigReturned: (d) => `found the server back at configuration ${d.sha256.slice(0, 8)}`,
    SiteConfigAdopted: (d) => `adopted configuration ${d.sha256.slice(0, 8)}`,
    SiteAnswerChanged: (d) => `found that the site ${answerWords[d.is]}: ${d.says}`,
    SiteConfigRemoved: (d) => `removed configuration ${d.file}`,
    CertificateIssued: (d) => `got a certificate from ${d.issuer}, valid until ${day(d.notAfter)}`,
    CertificateRenewed: (d) => `renewed the certificate with ${d.issuer}, valid until ${day(d.notAfter)}`,
    CertificateRefused: (d) => `could not get a certificate: ${d.detail}`,
    CertificateOrderWasted: (d) => `spent an order at the CA without a certificate: ${d.detail}`,
    CertificateRemoved: () => 'removed the certificate',
    CertificateServed: (d) =>
      d.served
        ? `found the site serving a certificate from ${d.served.issuer}, valid until ${day(d.served.notAfter)}${d.valid ? '' : `: ${d.reason ?? 'not valid'}`}`
        : `found the site serving no certificate: ${d.reason ?? 'no answer'}`,
  },
  removedBy: 'DomainRemoved',
  restoredBy: 'DomainRestored',
  undo: [
    'DomainRenamed',
    'DomainMoved',
    'DomainAlertsConfigured',
    'DomainRemoved',
    'SiteSettingsChanged',
    'SiteNamesChanged',
    'LocationAdded',
    'LocationRevised',
    'LocationRemoved',
  ],
});
