/** A run on many servers, live or ended: its progress, a row for each server, and the grouped results. */
import { IconCopy, IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { FleetDetail, RunView } from '@quarterdeck/projections';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { changing } from '../../records/commands';
import { Action } from '../../ui/Action';
import { confirmAction } from '../../ui/confirm';
import { DetailPage } from '../../ui/DetailPage';
import { HistoryOf } from '../../records/history';
import { PageView } from '../../records/PageView';
import {
  ActionFailure,
  canCancel,
  Elapsed,
  isLive,
  RunState,
  runTitle,
  tookMs,
  useRunActions,
} from '../../records/runs';
import { WhyEnded } from '../../records/runs/WhyEnded';
import { Results } from './Results';
import { useFleetRunQuery } from '../../records/runs/fleet.endpoints';
import { HostGrid } from './HostGrid';
import { doneOf, hasFailed, type Progress, progressOf, progressWords, rowsOf } from './host-state';
import { useFleetStart } from './use-fleet-start';
import { namesInWords, onWords } from './work';
import { Box } from '@mantine/core';
import { Note } from '../../ui/Note';
import { Meter } from '../../ui/Meter';

const LOOK_MS = 2000;

export const FleetRunPage = () => {
  const { id = '' } = useParams();
  const query = useFleetRunQuery(id);
  return (
    <PageView query={query} what="Run">
      {(detail) => <FleetRun key={detail.run.id} detail={detail} />}
    </PageView>
  );
};

const scriptOf = ({ input }: RunView): { id: string; version: string } | undefined =>
  typeof input.script === 'string' ? { id: input.script, version: `${Number(input.version)}` } : undefined;

/** The command or script that ran; a script links to its versions. */
const whatOf = (run: RunView): ReactNode => {
  const script = scriptOf(run);
  if (!script) return run.label;
  return (
    <>
      <Link to={paths.script(script.id, 'versions')}>{run.label}</Link>, version {script.version}
    </>
  );
};

const changesOf = ({ input }: RunView): boolean =>
  input.changes === true || changing.some(({ cmdType }) => cmdType === input.cmdType);

const FleetRun = ({ detail }: { detail: FleetDetail }) => {
  const navigate = useNavigate();
  const { run } = detail;
  const rows = useMemo(() => rowsOf(detail), [detail]);
  const live = isLive(run);
  // The end of each part is pushed; the last lines printed in between are polled.
  useFleetRunQuery(run.id, { pollingInterval: live ? LOOK_MS : 0, skipPollingIfUnfocused: true });
  const progress = progressOf(rows);
  const actions = useRunActions();
  const again = useFleetStart();
  const script = scriptOf(run);
  const failed = rows.filter(hasFailed).map(({ server }) => server.name);
  const anew = (): void =>
    void navigate(
      paths.fleet(
        script ? { script: script.id, version: script.version } : { cmdType: `${Number(run.input.cmdType)}` },
      ),
      { state: { servers: rows.map(({ server }) => server.id) } },
    );

  return (
    <DetailPage
      back={{ to: paths.fleet({ tab: 'earlier' }), label: 'Fleet runs' }}
      name={runTitle(run)}
      badge={<RunState run={run} />}
      facts={[
        { label: 'What', value: whatOf(run) },
        {
          label: 'Requested',
          value: <By id={run.requestedBy} at={run.requestedAt} />,
        },
        { label: live ? 'Running for' : 'Took', value: <Elapsed since={run.startedAt} ms={tookMs(run)} /> },
        { label: 'Concurrency', value: Number(run.input.concurrency) },
        ...(typeof run.input.rerunOf === 'string'
          ? [
              {
                label: 'Re-run',
                value: <Link to={paths.fleetRun(run.input.rerunOf)}>Re-run of failures</Link>,
              },
            ]
          : []),
      ]}
      primary={<Primary run={run} failed={failed} actions={actions} again={again} anew={anew} />}
      actions={[
        { label: 'New run on these servers…', icon: <IconCopy size={16} />, onClick: anew },
        {
          label: 'Output of the run itself',
          icon: <IconPlayerPlay size={16} />,
          reads: true,
          onClick: () => void navigate(paths.run(run.id)),
        },
      ]}
      tabs={[
        { id: 'servers', label: 'Servers', content: () => <HostGrid rows={rows} /> },
        { id: 'results', label: 'Results', content: () => <Results rows={rows} /> },
        {
          id: 'history',
          label: 'History',
          content: () => <HistoryOf category="run" id={run.id} name={runTitle(run)} />,
        },
      ]}
    >
      <ActionFailure
        failure={actions.failure ?? again.failure}
        onClose={actions.failure ? actions.dismiss : again.dismiss}
      />
      <FleetProgress progress={progress} live={live} />
      {!live && run.reason && run.state !== 'failed' && <WhyEnded run={run} reason={run.reason} />}
    </DetailPage>
  );
};

interface PrimaryProps {
  run: RunView;
  /** Names of the servers on which it failed. */
  failed: readonly string[];
  actions: ReturnType<typeof useRunActions>;
  again: ReturnType<typeof useFleetStart>;
  anew: () => void;
}

/** Cancels a run that goes on, or repeats one that has ended. */
const Primary = ({ run, failed, actions, again, anew }: PrimaryProps) => {
  const onFailed = `the ${failed.length === 1 ? 'one' : failed.length} that failed`;

  const rerun = async (): Promise<void> => {
    const sure =
      !changesOf(run) ||
      (await confirmAction({
        title: `${run.label} on ${onWords(failed)} again?`,
        body: `It makes changes, and starts from the beginning on ${namesInWords(failed)}.`,
        confirmLabel: `Run on ${onWords(failed)}`,
        danger: true,
      }));
    if (sure) await again.rerun(run.id);
  };
  return isLive(run) ? (
    <DisabledInPast>
      <Action
        icon={IconPlayerStop}
        variant="default"
        disabled={!canCancel(run)}
        loading={actions.busy === run.id}
        does={() => actions.cancel(run)}
      >
        Cancel
      </Action>
    </DisabledInPast>
  ) : failed.length > 0 ? (
    <DisabledInPast>
      <Action icon={IconRefresh} loading={again.busy} does={() => rerun()}>
        Run again on {onFailed}
      </Action>
    </DisabledInPast>
  ) : (
    <DisabledInPast>
      <Action icon={IconPlayerPlay} variant="default" does={anew}>
        Run again…
      </Action>
    </DisabledInPast>
  );
};

/** Progress bar with one segment for each outcome, and the same as text. */
const FleetProgress = ({ progress, live }: { progress: Progress; live: boolean }) => {
  const { all, succeeded, failed, cancelled, underWay } = progress;
  const parts = (
    [
      ['good', succeeded],
      ['bad', failed],
      ['quiet', cancelled],
      ['info', underWay],
    ] as const
  )
    .filter(([, count]) => count > 0)
    .map(([tone, count]) => ({ tone, share: count / all }));
  return (
    <Box m="4px 0 16px">
      <Meter
        parts={parts}
        role="progressbar"
        aria-label="Servers done"
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={doneOf(progress)}
        aria-valuetext={progressWords(progress)}
      />
      <Note mt={6} role={live ? 'status' : undefined}>
        {progressWords(progress)}
      </Note>
    </Box>
  );
};
