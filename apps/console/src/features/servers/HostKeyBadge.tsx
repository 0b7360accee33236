import { IconQuestionMark, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { hostKeyState, hostKeyWords, type ServerView } from '@quarterdeck/projections';
import { StateBadge } from '../../ui/StateBadge';

export const HostKeyBadge = ({ server }: { server: ServerView }) => {
  const state = hostKeyState(server);
  const look = {
    changed: { tone: 'bad', icon: IconShieldX },
    pinned: { tone: 'good', icon: IconShieldCheck },
    unknown: { tone: 'quiet', icon: IconQuestionMark },
  } as const;
  return <StateBadge state={state} label={hostKeyWords[state]} {...look[state]} />;
};
