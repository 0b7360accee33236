import { Box, Drawer } from '@mantine/core';
import { runs } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { RunLines } from '../../records/runs/RunLine';
import { DataView } from '../../ui/DataView';
import type { QueryLike } from '../../ui/query';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import { Note } from '../../ui/Note';

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
    <>
      <Box component="h3" m="0 0 8px" c="dimmed" fz={12} fw={500}>
        In progress
      </Box>
      <DataView query={running} what="Runs in progress">
        {(underWay) =>
          underWay.length === 0 ? (
            <Note m="0 0 12px">No runs in progress.</Note>
          ) : (
            <RunLines mb={20} runs={underWay} onLeave={onLeave} />
          )
        }
      </DataView>
      <Box component="h3" m="0 0 8px" c="dimmed" fz={12} fw={500}>
        Recent
      </Box>
      <DataView query={recent} what="Runs">
        {({ runs: newest }) => {
          const ended = newest.filter((run) => run.endedAt !== undefined);
          return ended.length === 0 ? (
            <Note m="0 0 12px">
              {newest.length < RECENT
                ? 'No run has ended yet.'
                : `The newest ${RECENT} runs are in progress.`}
            </Note>
          ) : (
            <RunLines mb={20} runs={ended.slice(0, 12)} onLeave={onLeave} />
          );
        }}
      </DataView>
      <Link to={paths.runs()} onClick={onLeave}>
        All runs
      </Link>
    </>
  );
}
