import { IconHandStop } from '@tabler/icons-react';
import type { RunView } from '@quarterdeck/projections';
import { Actor } from '../actor';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { isLive } from './run-words';

/** As the events say: a run is cancelled when the server has said so, and until then somebody wants it to be. */
export const RunState = ({ run }: { run: RunView }) =>
  run.cancelRequested && isLive(run) ? (
    <StateBadge state="cancelRequested" tone="warn" icon={IconHandStop} label="cancel requested" />
  ) : (
    <StateBadge state={run.state} />
  );

export const CancelRequested = ({ by, at }: { by: string; at: string }) => (
  <>
    <Actor id={by} /> asked for its end <RelativeTime at={at} />. It counts as cancelled when the server has
    confirmed it, and not before.
  </>
);
