/** Pushed versions and deliveries in words. Pure. */
import type { PushDelivery } from '@quarterdeck/contract';
import { environments, missedBy, type deployRule, type ValuesOf } from '@quarterdeck/events';
import type { PushView } from '@quarterdeck/projections';
import {
  IconArrowForwardUp,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClockPause,
  IconLoader2,
  IconRepeat,
  type Icon,
} from '@tabler/icons-react';
import type { Tone } from '../../ui/tone';

export type RuleFields = ValuesOf<typeof deployRule>;

interface Look {
  tone: Tone;
  icon: Icon;
  label: string;
}

export const pushLooks: Record<PushView['state'], Look> = {
  waiting: { tone: 'warn', icon: IconClockPause, label: 'waits for approval' },
  due: { tone: 'busy', icon: IconLoader2, label: 'starting' },
  deployed: { tone: 'good', icon: IconCircleCheck, label: 'deploy started' },
  failed: { tone: 'bad', icon: IconCircleX, label: 'not started' },
  refused: { tone: 'quiet', icon: IconBan, label: 'refused' },
  replaced: { tone: 'quiet', icon: IconArrowForwardUp, label: 'replaced' },
  withdrawn: { tone: 'quiet', icon: IconCircleDashed, label: 'withdrawn' },
};

export const deliveryLooks: Record<PushDelivery['is'], Look> = {
  ping: { tone: 'good', icon: IconCircleCheck, label: 'ping' },
  matched: { tone: 'good', icon: IconCircleCheck, label: 'matched' },
  unmatched: { tone: 'quiet', icon: IconCircleDashed, label: 'nothing deployed' },
  outdated: { tone: 'warn', icon: IconArrowForwardUp, label: 'outdated' },
  repeated: { tone: 'quiet', icon: IconRepeat, label: 'repeated' },
  ignored: { tone: 'quiet', icon: IconCircleDashed, label: 'not used' },
};

export const envInWords = (env: number): string => environments[env - 1] ?? String(env);

/** `a published package whose tag is like v*, without pre-releases` */
export const ruleInWords = ({ starts, compares, pattern, preReleases }: RuleFields): string =>
  `a published ${starts} whose ${compares} is like ${pattern}${preReleases ? '' : ', without pre-releases'}`;

/** What a rule would have made of a version. */
export const triedInWords = (rule: RuleFields, version: NonNullable<PushDelivery['version']>) => {
  const why = missedBy({ ...rule, isOn: true }, version);
  if (why !== undefined)
    return { deploys: false, says: `${version.tag} would not have been deployed: ${why}.` };
  // Nothing may be chosen yet.
  const where = rule.env > 0 ? ` to ${envInWords(rule.env)}` : '';
  const how = rule.approval === 'nobody' ? 'at once' : 'after approval';
  return {
    deploys: true,
    says: `${version.tag} would have been deployed${where} ${how}.`,
  };
};
