import { deployState, serviceVerdict } from '@quarterdeck/projections';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { useNewestHealth } from '../health';
import { StateBadge } from '../../ui/StateBadge';
import { behindInWords, type Release } from './release-words';

export const ReleaseState = ({ release }: { release: Release }) => {
  const { is, label } = deployState(release);
  const verdict = serviceVerdict(release, useNewestHealth(release.server.id));
  if (is === 'serves' && verdict && verdict.is !== 'serving')
    return (
      <StateBadge state={verdict.is} label={verdict.label} tone={verdict.tone} icon={IconAlertTriangle} />
    );
  if (is === 'serves') return <StateBadge state={is} label={label} tone="good" icon={IconCircleCheck} />;
  if (is === 'served') return <StateBadge state={is} label={label} tone="quiet" icon={IconCircleDashed} />;
  const { behind } = release;
  return (
    <>
      <StateBadge state={is} {...(label && { label })} />
      {label === 'waiting' && behind && (
        <>
          {' behind '}
          <Link to={paths.run(behind.id)}>{behindInWords(behind, release)}</Link>
        </>
      )}
    </>
  );
};
