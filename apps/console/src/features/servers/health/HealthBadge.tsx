import { IconCircleCheck, IconCircleDashed, IconCircleX, IconLoader2, type Icon } from '@tabler/icons-react';
import { Tooltip } from '@mantine/core';
import type { ServerView } from '@quarterdeck/projections';
import { useNewestHealth } from '../../../records/health';
import { absoluteTime, RelativeTime } from '../../../ui/RelativeTime';
import { StateBadge, type Tone } from '../../../ui/StateBadge';
import classes from './health.module.css';
import { reachOf, reachWords, type Reach } from './health-words';

const looks: Record<Reach, { tone: Tone; icon: Icon }> = {
  reachable: { tone: 'good', icon: IconCircleCheck },
  unreachable: { tone: 'bad', icon: IconCircleX },
  notYet: { tone: 'warn', icon: IconLoader2 },
  unknown: { tone: 'quiet', icon: IconCircleDashed },
};

/** Whether the server can be reached; since when not, and why. */
export const HealthBadge = ({ server }: { server: ServerView }) => {
  const newest = useNewestHealth(server.id);
  const reach = reachOf(server, newest);
  const badge = <StateBadge state={reach} label={reachWords[reach]} {...looks[reach]} />;
  const { health } = server;
  const gone = reach === 'unreachable' && health !== undefined;
  const reason = newest?.ok === false ? (newest.reason ?? health?.reason) : health?.reason;
  const seen = newest?.seenAt && `Last seen ${absoluteTime(newest.seenAt)}.`;
  const more = [gone && (reason ?? 'It does not answer.'), seen].filter((words) => typeof words === 'string');
  return (
    <Tooltip
      label={more.join(' ')}
      disabled={more.length === 0}
      multiline
      maw={360}
      openDelay={200}
      withinPortal
    >
      <span className={classes.badge}>
        {badge}
        {gone && (
          <span className={classes.since}>
            since <RelativeTime at={health.since} />
          </span>
        )}
      </span>
    </Tooltip>
  );
};
