import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { Hint } from '../../ui/Hint';
import { overlayPart } from '../../ui/part';
import { useRunsInProgressQuery } from '../../records/runs/in-progress.endpoints';
import styles from './Shell.module.css';

const RunsDrawer = overlayPart(() => import('./RunsDrawer'));

/** Shows the number of runs in progress, and opens the drawer that lists them. */
export function RunsInProgress() {
  const [opened, { open, close }] = useDisclosure(false);
  const [wanted, setWanted] = useState(false);
  const query = useRunsInProgressQuery();
  const { data: running = [] } = query;
  const words =
    query.data === undefined
      ? 'Runs'
      : running.length === 0
        ? 'No runs in progress'
        : running.length === 1
          ? '1 run in progress'
          : `${running.length} runs in progress`;
  const show = (): void => {
    setWanted(true);
    open();
  };
  return (
    <>
      <Hint label={words}>
        <button
          type="button"
          className={styles.runs}
          data-busy={running.length > 0 || undefined}
          aria-label={words}
          onClick={show}
        >
          <IconPlayerPlay size={14} aria-hidden />
          {running.length > 0 && (
            <span>
              {running.length} <span className={styles.runsWord}>running</span>
            </span>
          )}
        </button>
      </Hint>
      {wanted && <RunsDrawer opened={opened} running={query} onClose={close} />}
    </>
  );
}
