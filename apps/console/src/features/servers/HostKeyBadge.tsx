import { IconQuestionMark, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { StateBadge } from '../../ui/StateBadge';
import { hostKeyState } from './server-words';

export const hostKeyWords = { changed: 'changed', pinned: 'pinned', unknown: 'not contacted yet' } as const;

interface HostKeyBadgeProps {
  server: ServerView;
  /** Where no heading says what is pinned or changed. */
  named?: boolean;
}

export const HostKeyBadge = ({ server, named }: HostKeyBadgeProps) => {
  const state = hostKeyState(server);
  const look = {
    changed: { tone: 'bad', icon: IconShieldX },
    pinned: { tone: 'good', icon: IconShieldCheck },
    unknown: { tone: 'quiet', icon: IconQuestionMark },
  } as const;
  return (
    <StateBadge
      state={state}
      label={named && state !== 'unknown' ? `host key ${hostKeyWords[state]}` : hostKeyWords[state]}
      {...look[state]}
    />
  );
};
