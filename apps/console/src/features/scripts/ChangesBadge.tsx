import { IconEye, IconPencilBolt } from '@tabler/icons-react';
import { scriptKinds } from '@quarterdeck/projections';
import { StateBadge } from '../../ui/StateBadge';

export const ChangesBadge = ({ changes }: { changes: boolean }) => (
  <StateBadge
    state={changes ? 'changes' : 'looks'}
    tone={changes ? 'warn' : 'quiet'}
    icon={changes ? IconPencilBolt : IconEye}
    label={changes ? scriptKinds.changes : scriptKinds.reads}
  />
);
