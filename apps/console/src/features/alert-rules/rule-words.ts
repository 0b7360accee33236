/** What a rule does, in words. Pure. */
import type { RuleFields, TriedRule } from '@quarterdeck/projections';
import { count } from '../../ui/count';

const either = new Intl.ListFormat('en', { type: 'disjunction' });

/** `at once`, `after 15 minutes, and again every 4 hours` */
export const tellsInWords = ({
  holdsMinutes,
  repeatHours,
}: Pick<RuleFields, 'holdsMinutes' | 'repeatHours'>): string => {
  const first = holdsMinutes === 0 ? 'at once' : `after ${count(holdsMinutes, 'minute')}`;
  if (repeatHours === 0) return first;
  return `${first}, and again every ${repeatHours === 1 ? 'hour' : `${repeatHours} hours`}`;
};

const severe = { notice: '', warning: ' that is at least a warning', critical: ' that is critical' };

/** `An alert “disk almost full or memory almost full”`, `Any alert that is critical` */
export const causesInWords = ({
  causes,
  leastSeverity,
}: Pick<RuleFields, 'causes' | 'leastSeverity'>): string =>
  `${causes.length === 0 ? 'Any alert' : `An alert “${either.format(causes)}”`}${severe[leastSeverity]}`;

/** What a trial found. */
export const triedInWords = ({ count: times, crossings }: Pick<TriedRule, 'count' | 'crossings'>): string => {
  if (times > 0)
    return `In the past 30 days, this rule would have told ${times === 1 ? 'once' : `${times} times`}.`;
  const none = 'In the past 30 days, this rule would not have told anything';
  if (crossings === 0) return `${none}: nothing that it covers has happened.`;
  return `${none}: ${crossings === 1 ? 'the one alert that it covers' : `${crossings} alerts that it covers`} did not last long enough.`;
};
