import { Drawer } from '@mantine/core';
import { runs } from '@quarterdeck/contract';
import { stepLabel } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { DataView } from '../../ui/DataView';
import { durationInWords, RelativeTime } from '../../ui/RelativeTime';
import { Elapsed } from '../../records/runs/Elapsed';
import { RunState } from '../../records/runs/RunState';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import { paths } from '../../core/paths';
import styles from './RunsDrawer.module.css';

interface RunsDrawerProps {
  opened: boolean;
  running: readonly RunView[];
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

function RunLists({ running, onLeave }: { running: readonly RunView[]; onLeave: () => void }) {
  const recent = useAnswer(runs.list, { limit: 20 });
  return (
    <>
      <h3 className={styles.heading}>In progress</h3>
      {running.length === 0 && <p className={styles.none}>Nothing runs just now.</p>}
      <ul className={styles.list}>
        {running.map((run) => (
          <RunLine key={run.id} run={run} onLeave={onLeave} />
        ))}
      </ul>
      <h3 className={styles.heading}>Ended lately</h3>
      <DataView query={recent} what="Runs">
        {({ runs: newest }) => {
          const ended = newest.filter((run) => run.endedAt !== undefined);
          return ended.length === 0 ? (
            <p className={styles.none}>No run has ended yet.</p>
          ) : (
            <ul className={styles.list}>
              {ended.slice(0, 12).map((run) => (
                <RunLine key={run.id} run={run} onLeave={onLeave} />
              ))}
            </ul>
          );
        }}
      </DataView>
      <Link to={paths.runs()} onClick={onLeave}>
        All runs
      </Link>
    </>
  );
}

function RunLine({ run, onLeave }: { run: RunView; onLeave: () => void }) {
  const step = run.steps.at(-1);
  const ended = run.endedAt !== undefined;
  return (
    <li>
      <Link to={run.kind === 'fleet' ? paths.fleetRun(run.id) : paths.run(run.id)} onClick={onLeave}>
        {run.label} on {run.subject.name}
      </Link>
      <div className={styles.facts}>
        <RunState run={run} />
        {!ended && step && <span>{stepLabel(run.kind, step.step)}</span>}
        <span>
          {ended ? (
            <>
              {run.durationMs !== undefined && `${durationInWords(run.durationMs)}, `}
              <RelativeTime at={run.endedAt} />
            </>
          ) : (
            <Elapsed since={run.startedAt ?? run.requestedAt} ms={undefined} />
          )}
        </span>
      </div>
      {run.reason && <p className={styles.reason}>{run.reason}</p>}
    </li>
  );
}
