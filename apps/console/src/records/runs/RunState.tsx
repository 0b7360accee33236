import { IconHandStop, IconProgressCheck } from '@tabler/icons-react';
import { runVerdict, type RunView } from '@quarterdeck/projections';
import { Actor } from '../actor';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';

const icons = { cancelRequested: { icon: IconHandStop }, partial: { icon: IconProgressCheck } } as const;

/** A run counts as cancelled when the server confirms it; until then, cancellation is only requested. */
export const RunState = ({ run }: { run: RunView }) => {
  const { is, label, tone } = runVerdict(run);
  return (
    <StateBadge
      state={is}
      label={label}
      tone={tone}
      {...(is === 'cancelRequested' || is === 'partial' ? icons[is] : {})}
    />
  );
};

export const CancelRequested = ({ by, at }: { by: string; at: string }) => (
  <>
    <Actor id={by} /> requested the cancellation <RelativeTime at={at} />. The run counts as cancelled when
    the server confirms it.
  </>
);
