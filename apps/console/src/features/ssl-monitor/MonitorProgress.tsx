import { sslTone, type RunView, type SslMonitorStatus } from '@quarterdeck/projections';
import { Elapsed, tookMs } from '../../records/runs';
import { progressWords } from './monitor-words';
import { Box, Group } from '@mantine/core';
import { Dim } from '../../ui/Note';
import { Meter } from '../../ui/Meter';

interface MonitorProgressProps {
  status: SslMonitorStatus;
  run: RunView | undefined;
  live: boolean;
}

/** Fills as domains are checked, and is green only if all is well. The text beside it says the same. */
export const MonitorProgress = ({ status, run, live }: MonitorProgressProps) => {
  const { total, checked } = status.counters;
  const words = progressWords(status);
  return (
    <Group gap="6px 16px">
      <Meter
        parts={[
          {
            tone: live ? 'info' : status.phase === 'stopped' ? 'quiet' : sslTone(status),
            share: total === 0 ? 0 : checked / total,
          },
        ]}
        flex="1 0 100%"
        data-tone={live ? undefined : sslTone(status)}
        role="progressbar"
        aria-label="Domains checked"
        aria-valuemin={0}
        aria-valuemax={Math.max(total, 1)}
        aria-valuenow={checked}
        aria-valuetext={words}
      />
      <Box component="p" m={0} flex={1}>
        {words}
      </Box>
      {run && (
        <Dim>
          <Elapsed since={run.startedAt} ms={tookMs(run)} />
        </Dim>
      )}
    </Group>
  );
};
