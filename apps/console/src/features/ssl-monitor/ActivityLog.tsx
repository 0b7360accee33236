/** The monitor's log of a run, one line per event with its level. Virtualized. */
import {
  IconAlertTriangle,
  IconArrowDown,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { parseLogLine } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import { memo, useRef, useSyncExternalStore, type KeyboardEvent, type Ref } from 'react';
import { Action } from '../../ui/Action';
import { ErrorState } from '../../ui/ErrorState';
import { useFollow, useRunOutput, type RunOutputState } from '../../records/run-output';
import { missingOutput, OutputRemoved } from '../../records/runs';
import classes from './activity-log.module.css';
import { Box, Group } from '@mantine/core';
import look from '../../ui/look.module.css';
import { NothingYet } from './NothingYet';
import { toneColor } from '../../ui/tone';

const LINE_HEIGHT = 22;

interface ActivityLogProps {
  run: RunView | undefined;
  live: boolean;
}

export const ActivityLog = ({ run, live }: ActivityLogProps) =>
  run ? (
    <LogOfRun run={run} live={live} />
  ) : (
    <NothingYet>
      {live ? 'Waiting for the first line …' : 'Progress will appear here, line by line.'}
    </NothingYet>
  );

const LogOfRun = ({ run, live }: { run: RunView; live: boolean }) => {
  const { log, loading, error, retry } = useRunOutput(run.id, live, run.revision);
  useSyncExternalStore(log.subscribe, log.getVersion);
  return (
    <>
      {error && <ErrorState error={error} what="The activity log" onRetry={retry} inline />}
      <OutputRemoved run={run} />
      {log.count === 0 ? (
        <NothingYet>
          {live || loading
            ? 'Waiting for the first line …'
            : (missingOutput(run) ?? 'This run printed nothing.')}
        </NothingYet>
      ) : (
        <Lines log={log} live={live} />
      )}
    </>
  );
};

const Lines = ({ log, live }: { log: RunOutputState['log']; live: boolean }) => {
  const viewport = useRef<HTMLDivElement>(null);
  const { count, settled } = log;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => viewport.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 10,
  });
  const follow = useFollow(viewport, { lines: count, initially: true, jumps: 0 });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'End') follow.toEnd();
  };
  const version = log.getVersion();
  return (
    <Box pos="relative">
      <div
        ref={viewport}
        role="log"
        aria-label="Activity log"
        aria-live={live && follow.following ? 'polite' : 'off'}
        aria-busy={live}
        tabIndex={0}
        className={look.scroller}
        style={{ height: '16rem', background: 'var(--mantine-color-body)' }}
        onScroll={follow.onScroll}
        onKeyDown={onKeyDown}
      >
        <Box pos="relative" my={6} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const line = log.line(index);
            return (
              line && (
                <Line
                  key={index}
                  index={index}
                  start={start}
                  at={line.at}
                  written={line.text}
                  stamp={index < settled ? 0 : version}
                  measure={virtualizer.measureElement}
                />
              )
            );
          })}
        </Box>
      </div>
      {follow.unseen > 0 && (
        <Action icon={IconArrowDown} radius="xl" className={look.pill} bottom={12} does={follow.toEnd}>
          {follow.unseen.toLocaleString('en')} new {follow.unseen === 1 ? 'line' : 'lines'}
        </Action>
      )}
    </Box>
  );
};

const icons = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconCircleX,
} as const;
const tones = { info: 'info', success: 'good', warning: 'warn', error: 'bad' } as const;

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const timeOf = (at: string): string => {
  const instant = Date.parse(at);
  return Number.isNaN(instant) ? '' : clock.format(instant);
};

interface LineProps {
  index: number;
  /** Offset from the top in pixels. */
  start: number;
  at: string;
  written: string;
  /** Changes when the line is rewritten in place, to force a render. */
  stamp: number;
  measure: Ref<HTMLDivElement>;
}

const Line = memo(function Line({ index, start, at, written, measure }: LineProps) {
  const { level, text } = parseLogLine(written);
  const Shape = icons[level];
  return (
    <div
      ref={measure}
      data-index={index}
      data-level={level}
      className={classes.line}
      style={{ transform: `translateY(${start}px)` }}
    >
      <time dateTime={at}>{timeOf(at)}</time>
      <Group component="span" gap={6} wrap="nowrap" h={20} c={toneColor(tones[level])}>
        <Shape size={14} aria-hidden /> {level}
      </Group>
      <Box component="span" className={`${look.wrap} ${classes.text}`}>
        {text}
      </Box>
    </div>
  );
});
