import { IconQuestionMark, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { StateBadge } from '../../ui/StateBadge';
import { hostKeyState } from './server-words';

export const hostKeyWords = { changed: 'changed', pinned: 'pinned', unknown: 'not contacted yet' } as const;

export const HostKeyBadge = ({ server }: { server: ServerView }) => {
  const state = hostKeyState(server);
  const look = {
    changed: { tone: 'bad', icon: IconShieldX },
    pinned: { tone: 'good', icon: IconShieldCheck },
    unknown: { tone: 'quiet', icon: IconQuestionMark },
  } as const;
  return <StateBadge state={state} label={hostKeyWords[state]} {...look[state]} />;
};
