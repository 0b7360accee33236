import { IconEye, IconPencilBolt } from '@tabler/icons-react';
import { StateBadge } from '../../ui/StateBadge';

export const changesWords = (changes: boolean): string => (changes ? 'changes the server' : 'only looks');

export const ChangesBadge = ({ changes }: { changes: boolean }) => (
  <StateBadge
    state={changes ? 'changes' : 'looks'}
    tone={changes ? 'warn' : 'quiet'}
    icon={changes ? IconPencilBolt : IconEye}
    label={changesWords(changes)}
  />
);
