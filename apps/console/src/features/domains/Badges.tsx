/** Badges for the parts of a domain's state, each with an icon and a word. */
import { IconLock, IconRouteOff, IconUnlink } from '@tabler/icons-react';
import {
  unicodeName,
  certificateInWords,
  certificateStateOf,
  certificateVerdicts,
  configInWords,
  configStateOf,
  configVerdicts,
  dnsInWords,
  dnsStateOf,
  dnsVerdicts,
  siteStateOf,
  siteVerdicts,
  type AsOf,
  type Certified,
  type Configured,
  type DomainRow,
  type DomainView,
} from '@quarterdeck/projections';
import { VerdictBadge } from '../../records/verdicts';
import { BadgeHint } from '../../ui/BadgeHint';
import { StateBadge } from '../../ui/StateBadge';
import { answerInWords } from './domain-words';
import { Dim } from '../../ui/Note';

type DnsKnown = Pick<DomainView, 'dns'>;

const dnsIcons = { wrong: IconRouteOff, none: IconUnlink } as const;

export const DnsBadge = ({ domain: { dns } }: { domain: DnsKnown }) => {
  const state = dnsStateOf(dns);
  const icon = state === 'wrong' || state === 'none' ? { icon: dnsIcons[state] } : {};
  return (
    <BadgeHint label={answerInWords(dns)}>
      <VerdictBadge verdict={{ ...dnsVerdicts[state], label: dnsInWords(dns) }} {...icon} />
    </BadgeHint>
  );
};

/** Who answers for the site, with what was seen. */
export const SiteAnswerBadge = ({ domain }: { domain: Pick<DomainRow, 'config' | 'answer'> }) => {
  const badge = <VerdictBadge verdict={siteVerdicts[siteStateOf(domain)]} />;
  return domain.answer && domain.config ? <BadgeHint label={domain.answer.says}>{badge}</BadgeHint> : badge;
};

export const ConfigBadge = ({ domain }: { domain: Configured }) => (
  <VerdictBadge verdict={{ ...configVerdicts[configStateOf(domain)], label: configInWords(domain) }} />
);

export const SslBadge = ({ domain: { config } }: { domain: Pick<DomainRow, 'config'> }) =>
  config?.options.ssl ? <StateBadge state="ssl" icon={IconLock} label="SSL" /> : null;

export const CertificateBadge = ({ domain, asOf }: { domain: Certified; asOf: AsOf }) => (
  <VerdictBadge
    verdict={{
      ...certificateVerdicts[certificateStateOf(domain, asOf)],
      label: certificateInWords(domain, asOf),
    }}
  />
);

/** The name in Unicode, if it differs from the ASCII form that DNS and nginx use. */
export const NameInUnicode = ({ serverName }: { serverName: string }) => {
  const name = unicodeName(serverName);
  return name === serverName ? null : <Dim>{name}</Dim>;
};
