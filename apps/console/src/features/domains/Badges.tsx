/** The state of a domain at a glance, each with an icon and a word. */
import { Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconLock,
  IconRouteOff,
  IconUnlink,
} from '@tabler/icons-react';
import type { DomainRow, DomainView } from '@quarterdeck/projections';
import { StateBadge } from '../../ui/StateBadge';
import classes from './domains.module.css';
import {
  answerInWords,
  certificateStateOf,
  certificateWords,
  configStateOf,
  configWords,
  pointingOf,
  pointingWords,
  type Certified,
} from './domain-words';
import { unicodeName } from './unicode-name';

type DnsKnown = Pick<DomainView, 'dns'>;

const pointingIcons = {
  here: IconCircleCheck,
  elsewhere: IconRouteOff,
  none: IconUnlink,
  failed: IconAlertTriangle,
} as const;

export const DnsBadge = ({ domain: { dns } }: { domain: DnsKnown }) => {
  const pointing = pointingOf(dns);
  return (
    <Tooltip label={answerInWords(dns)} withinPortal multiline maw={320}>
      <span>
        <StateBadge state={pointing} icon={pointingIcons[pointing]} {...pointingWords[pointing]} />
      </span>
    </Tooltip>
  );
};

const configIcons = {
  never: IconCircleDashed,
  applied: IconCircleCheck,
  drifted: IconAlertTriangle,
} as const;

export const ConfigBadge = ({ domain }: { domain: Pick<DomainRow, 'config' | 'drift'> }) => {
  const state = configStateOf(domain);
  return <StateBadge state={state} icon={configIcons[state]} {...configWords[state]} />;
};

export const SslBadge = ({ domain: { config } }: { domain: Pick<DomainRow, 'config'> }) =>
  config?.options.ssl ? <StateBadge state="ssl" icon={IconLock} label="SSL" /> : null;

const certificateIcons = {
  none: IconCircleDashed,
  valid: IconCircleCheck,
  expiring: IconAlertTriangle,
  expired: IconAlertTriangle,
  invalid: IconAlertTriangle,
} as const;

interface CertificateBadgeProps {
  domain: Certified;
  now: number;
  expiringDays: number;
  /** Says what is valid, where nothing beside it does. */
  named?: boolean;
}

export const CertificateBadge = ({ domain, now, expiringDays, named = false }: CertificateBadgeProps) => {
  const state = certificateStateOf(domain, now, expiringDays);
  const { label, tone } = certificateWords[state];
  const words = named ? (state === 'none' ? 'no certificate' : `certificate ${label}`) : label;
  return <StateBadge state={state} icon={certificateIcons[state]} tone={tone} label={words} />;
};

/** The name as people write it, beside what DNS and the web server compare. */
export const NameInUnicode = ({ serverName }: { serverName: string }) => {
  const name = unicodeName(serverName);
  return name === serverName ? null : <span className={classes.dimmed}>{name}</span>;
};
