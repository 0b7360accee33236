/** After a restore: the scheduled work that is paused, and a button to resume it. Shown above the superadmin tabs. */
import { Alert, Button } from '@mantine/core';
import { backups } from '@quarterdeck/contract';
import type { BackupsView } from '@quarterdeck/projections';
import { IconClockPause } from '@tabler/icons-react';
import { useAnswer, useChange } from '../../core/calls';
import { count } from '../../ui/count';
import { absoluteTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';

const LOOK_MS = 30_000;

export const RestoredNotice = () => {
  const query = useAnswer(backups.overview, {}, { pollingInterval: LOOK_MS });
  const restored = query.data?.restored;
  return restored ? <Waiting restored={restored} lookAgain={() => void query.refetch()} /> : null;
};

interface WaitingProps {
  restored: NonNullable<BackupsView['restored']>;
  lookAgain: () => void;
}

const Waiting = ({ restored, lookAgain }: WaitingProps) => {
  const [release] = useChange(backups.release);
  const { act, failure } = useAction();
  const { takenAt, upTo, position, sessions, links, runs } = restored;
  const letGo = () =>
    act({
      ask: {
        title: 'Resume scheduled work?',
        body: 'This console then acts on servers by itself. If the old console still runs, both act on the same servers.',
        confirmLabel: 'Resume',
        danger: true,
      },
      send: () => release({}).unwrap().finally(lookAgain),
      done: 'Scheduled work begins within seconds.',
      failed: 'Scheduled work stays paused',
    });
  return (
    <section aria-label="Restored console">
      <Alert
        color="yellow"
        variant="light"
        mb="md"
        icon={<IconClockPause size={18} aria-hidden />}
        title="This console was restored, and its scheduled work is paused"
      >
        <p>
          It has the state of the backup of {absoluteTime(takenAt)}, up to {upTo ?? `position ${position}`}.
          Ended: {count(sessions, 'session')} and {count(links, 'link')}.{' '}
          {count(runs, 'run was', 'runs were')} interrupted and will not begin again by itself.
        </p>
        <p>Paused: health checks, DNS watch, SSL schedule, backups, alerts, and the removal of old output.</p>
        <p>Check that the old console no longer runs before you resume them.</p>
        {failure && <p role="alert">{failure.error.msg}</p>}
        <Button variant="default" onClick={() => void letGo()}>
          Resume scheduled work
        </Button>
      </Alert>
    </section>
  );
};
