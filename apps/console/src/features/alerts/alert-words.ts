/** Describes alerts in words. Pure. */
import {
  IconBan,
  IconBell,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconRefresh,
  IconTool,
  IconUserCheck,
  type Icon,
} from '@tabler/icons-react';
import { isStanding, severities, severityOf, toldInWords, type AlertView } from '@quarterdeck/projections';
import { count } from '../../ui/count';
import type { Tone } from '../../ui/tone';

const DAY_MS = 86_400_000;

type Ending = Pick<AlertView, 'about' | 'notAfter' | 'subject' | 'state' | 'says' | 'threshold'>;

/** Open alerts that the banner counts. */
export const standing = <A extends Ending>(alerts: readonly A[]): A[] => alerts.filter(isStanding);

const daysLeft = (notAfter: string, now: number): number =>
  Math.max(1, Math.ceil((Date.parse(notAfter) - now) / DAY_MS));
const within = (days: number): string => (days === 1 ? 'within a day' : `within ${days} days`);

/** Whether the alert is about the installation or a service; such alerts describe the problem themselves. */
export const isOfInstallation = ({ about }: Pick<AlertView, 'about'>): boolean =>
  about !== 'certificateExpiry' && about !== 'test';

/** Problems of the installation first, then instances that ask, then certificates; empty if there are none. */
export const bannerWords = (alerts: readonly Ending[], now: number): string => {
  const open = standing(alerts);
  const asking = open.filter(({ about }) => about === 'workflowAsks');
  const others = open.filter((alert) => isOfInstallation(alert) && alert.about !== 'workflowAsks');
  const said = saidWords(others);
  const certificates = open.filter(({ about }) => about === 'certificateExpiry');
  return [...said, askingWords(asking), certificateWords(certificates, now)]
    .filter((words) => words !== '')
    .join(' ');
};

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** With more, the banner would cover a good part of the page: then it says only the gravest. */
const MAX_SAID = 2;

const saidWords = (others: readonly Ending[]): string[] => {
  if (others.length <= MAX_SAID) return others.map(({ says }) => sentence(says));
  const [gravest] = severities.flatMap((one) => others.filter((alert) => severityOf(alert) === one));
  return [sentence(gravest?.says ?? ''), `There are ${count(others.length - 1, 'more alert')}.`];
};

/** There may be very many of them. */
const askingWords = ([only, ...more]: readonly Ending[]): string => {
  if (!only) return '';
  return more.length === 0
    ? sentence(only.says)
    : `${count(more.length + 1, 'workflow instance')} wait for an answer.`;
};

/** `3 certificates expire within 7 days.`, `1 certificate has expired, and 2 expire within 14 days.` */
const certificateWords = (alerts: readonly Ending[], now: number): string => {
  const ends = alerts.flatMap(({ notAfter }) => notAfter ?? []);
  const over = ends.filter((notAfter) => Date.parse(notAfter) <= now).length;
  const coming = ends.length - over;
  const latest = Math.max(0, ...ends.map((notAfter) => daysLeft(notAfter, now)));
  const [only] = alerts;
  if (only && ends.length === 1)
    return over === 1
      ? `The certificate of ${only.subject.name} has expired.`
      : `The certificate of ${only.subject.name} expires ${within(latest)}.`;
  const ended = `${count(over, 'certificate')} ${over === 1 ? 'has' : 'have'} expired`;
  if (coming === 0) return over === 0 ? '' : `${ended}.`;
  const end = coming === 1 ? 'expires' : 'expire';
  return over === 0
    ? `${count(coming, 'certificate')} ${end} ${within(latest)}.`
    : `${ended}, and ${coming} ${end} ${within(latest)}.`;
};

interface Look {
  tone: Tone;
  icon: Icon;
}

const looks: Record<AlertView['state'], Look> = {
  open: { tone: 'warn', icon: IconBell },
  resolved: { tone: 'good', icon: IconCircleCheck },
  dismissed: { tone: 'quiet', icon: IconBan },
};

/** The state of an alert; of an open one also whether somebody takes care of it, or it waits for the end of maintenance. */
export const stateLook = (
  { state, acknowledged }: Pick<AlertView, 'state' | 'acknowledged'>,
  isMaintained = false,
): Look & { label?: string } => {
  if (state !== 'open') return looks[state];
  if (acknowledged) return { label: 'acknowledged', tone: 'quiet', icon: IconUserCheck };
  return isMaintained ? { label: 'in maintenance', tone: 'quiet', icon: IconTool } : looks.open;
};

interface Told extends Look {
  label: string;
}

/** How far the webhook was told. */
export const toldWords = (alert: Pick<AlertView, 'deliveries' | 'nextAttemptAt'>): Told => {
  const label = toldInWords(alert);
  const last = alert.deliveries.at(-1);
  if (!last) return { label, tone: 'quiet', icon: IconCircleDashed };
  if (last.reason === undefined) return { label, tone: 'good', icon: IconCircleCheck };
  return alert.nextAttemptAt === undefined
    ? { label, tone: 'bad', icon: IconCircleX }
    : { label, tone: 'warn', icon: IconRefresh };
};

/** `21, 14 and 7 days before expiry, and on expiry` */
export const thresholdsInWords = (thresholds: readonly number[]): string => {
  if (thresholds.length === 0) return 'never';
  const days = new Intl.ListFormat('en').format(thresholds.map(String));
  return `${days} ${thresholds.length === 1 && thresholds[0] === 1 ? 'day' : 'days'} before expiry, and on expiry`;
};
