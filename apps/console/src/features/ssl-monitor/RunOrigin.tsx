/** Who started a run of the monitor, and when the schedule starts the next one. */
import type { RunView } from '@quarterdeck/projections';
import { Actor } from '../../records/actor';
import { RelativeTime } from '../../ui/RelativeTime';

const SCHEDULE = 'system';

export const StartedBy = ({ by }: { by: string }) =>
  by === SCHEDULE ? <>the schedule</> : <Actor id={by} />;

export const RunOrigin = ({ run }: { run: Pick<RunView, 'requestedBy' | 'requestedAt'> }) => (
  <>
    Started by <StartedBy by={run.requestedBy} /> <RelativeTime at={run.requestedAt} />.
  </>
);

export const Schedule = ({ nextAt }: { nextAt: string | undefined }) =>
  nextAt === undefined ? (
    <>No schedule: started by hand.</>
  ) : (
    <>
      Next by schedule <RelativeTime at={nextAt} />.
    </>
  );
