import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { StateBadge } from '../../ui/StateBadge';

export const OnOff = ({ isOn }: { isOn: boolean }) =>
  isOn ? (
    <StateBadge state="on" tone="good" icon={IconCircleCheck} />
  ) : (
    <StateBadge state="off" tone="quiet" icon={IconCircleDashed} />
  );
