import { environments } from '@quarterdeck/events';
import { IconDatabase } from '@tabler/icons-react';
import { StateBadge } from '../ui/StateBadge';
import type { Tone } from '../ui/tone';

const tones: readonly Tone[] = ['info', 'bad', 'good'];

export const EnvBadge = ({ id }: { id: number }) => (
  <StateBadge
    state={environments[id - 1] ?? String(id)}
    tone={tones[id - 1] ?? 'quiet'}
    icon={IconDatabase}
  />
);
