/** Messages to alert channels in words. Pure. */
import { alertChannel, fieldsOfKind, labelOf } from '@quarterdeck/events';
import { isUncertain, type AlertMessageView } from '@quarterdeck/projections';
import {
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
  IconRefresh,
  type Icon,
} from '@tabler/icons-react';
import { count } from '../../ui/count';
import type { Tone } from '../../ui/tone';

interface Look {
  label: string;
  tone: Tone;
  icon: Icon;
}

export const messageLook = (message: Pick<AlertMessageView, 'state' | 'attempts' | 'is'>): Look => {
  const { state, attempts, is } = message;
  if (state === 'delivered') return { label: 'delivered', tone: 'good', icon: IconCircleCheck };
  if (state === 'failed') return { label: 'failed', tone: 'bad', icon: IconCircleX };
  if (state === 'dropped') return { label: 'no longer needed', tone: 'quiet', icon: IconBan };
  if (isUncertain(message) && is === 'test')
    return { label: 'not known', tone: 'warn', icon: IconHelpCircle };
  return { label: attempts.length === 0 ? 'waiting' : 'retrying', tone: 'warn', icon: IconRefresh };
};

/** What a message is about: `A test`, `3 alerts`, `The end of an alert`. */
export const aboutInWords = ({ is, alerts }: Pick<AlertMessageView, 'is' | 'alerts'>): string => {
  if (is === 'test') return 'A test';
  const what = count(alerts.length, 'alert');
  return is === 'over' ? `The end of ${what}` : what;
};

const wantsFields = fieldsOfKind(alertChannel.fields, 'group')[0]?.[1].fields ?? {};

/** What a channel wants: `everything`, `everything but backups`, or `sites, services`. */
export const wantedInWords = (wants: Readonly<Record<string, boolean>>): string => {
  const wanted = Object.keys(wantsFields).filter((key) => wants[key]);
  if (wanted.length === Object.keys(wantsFields).length) return 'everything';
  if (wanted.length === 0) return 'nothing';
  const inWords = (keys: string[]): string =>
    keys.map((key) => labelOf(wantsFields, key).toLowerCase()).join(', ');
  const others = Object.keys(wantsFields).filter((key) => !wants[key]);
  return others.length < wanted.length ? `everything but ${inWords(others)}` : inWords(wanted);
};
