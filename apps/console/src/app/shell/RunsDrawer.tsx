import { Drawer } from '@mantine/core';
import { runs } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { RunLines } from '../../records/runs/RunLine';
import { DataView } from '../../ui/DataView';
import type { QueryLike } from '../../ui/query';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import styles from './RunsDrawer.module.css';

/** Number of runs fetched, live ones included. */
const RECENT = 20;

interface RunsDrawerProps {
  opened: boolean;
  running: QueryLike<readonly RunView[]>;
  onClose: () => void;
}

export default function RunsDrawer({ opened, running, onClose }: RunsDrawerProps) {
  return (
    <Drawer
      opened={useOpenedOnceThere(opened)}
      onClose={onClose}
      position="right"
      title="Runs"
      size={420}
      zIndex={300}
    >
      <RunLists running={running} onLeave={onClose} />
    </Drawer>
  );
}

function RunLists({ running, onLeave }: { running: QueryLike<readonly RunView[]>; onLeave: () => void }) {
  const recent = useAnswer(runs.list, { limit: RECENT });
  return (
    <div className={styles.lists}>
      <h3 className={styles.heading}>In progress</h3>
      <DataView query={running} what="Runs in progress">
        {(underWay) =>
          underWay.length === 0 ? (
            <p className={styles.none}>No runs in progress.</p>
          ) : (
            <RunLines runs={underWay} onLeave={onLeave} />
          )
        }
      </DataView>
      <h3 className={styles.heading}>Recent</h3>
      <DataView query={recent} what="Runs">
        {({ runs: newest }) => {
          const ended = newest.filter((run) => run.endedAt !== undefined);
          return ended.length === 0 ? (
            <p className={styles.none}>
              {newest.length < RECENT
                ? 'No run has ended yet.'
                : `The newest ${RECENT} runs are in progress.`}
            </p>
          ) : (
            <RunLines runs={ended.slice(0, 12)} onLeave={onLeave} />
          );
        }}
      </DataView>
      <Link to={paths.runs()} onClick={onLeave}>
        All runs
      </Link>
    </div>
  );
}
