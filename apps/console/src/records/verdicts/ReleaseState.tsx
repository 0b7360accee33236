import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { StateBadge } from '../../ui/StateBadge';
import { stateOf, type Release } from './release-words';

export const ReleaseState = ({ release }: { release: Release }) => {
  const { is, label } = stateOf(release);
  if (is === 'serves') return <StateBadge state={is} label={label} tone="good" icon={IconCircleCheck} />;
  if (is === 'served') return <StateBadge state={is} label={label} tone="quiet" icon={IconCircleDashed} />;
  return <StateBadge state={is} {...(label && { label })} />;
};
