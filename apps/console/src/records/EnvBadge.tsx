import { environments } from '@quarterdeck/events';
import { IconDatabase } from '@tabler/icons-react';
import { StateBadge, type Tone } from '../ui/StateBadge';

const tones: readonly Tone[] = ['info', 'bad', 'good'];

export const EnvBadge = ({ id }: { id: number }) => (
  <StateBadge
    state={environments[id - 1] ?? String(id)}
    tone={tones[id - 1] ?? 'quiet'}
    icon={IconDatabase}
  />
);
