/** One run, live or ended: its facts at the top, its steps on the left, its output on the right. */
import { Alert } from '@mantine/core';
import { deploys, runs } from '@quarterdeck/contract';
import { IconBan, IconRefresh } from '@tabler/icons-react';
import type { RunView } from '@quarterdeck/projections';
import { Link, useParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { Action } from '../../ui/Action';
import { DetailPage } from '../../ui/DetailPage';
import { HistoryBelow } from '../../records/history';
import { EnvBadge } from '../../records/EnvBadge';
import { PageView } from '../../records/PageView';
import { releasePath, type Release } from '../../records/verdicts';
import {
  ActionFailure,
  canCancel,
  CancelRequested,
  canRetry,
  Elapsed,
  isLive,
  RunState,
  RunTable,
  runTitle,
  tookMs,
  useRunActions,
} from '../../records/runs';
import { OutputCheck } from './OutputCheck';
import { RunProgress } from './RunProgress';
import { RunViewer } from './RunViewer';
import { WhyEnded } from '../../records/runs/WhyEnded';
import { useMemo } from 'react';
import { Note } from '../../ui/Note';
import { Section } from '../../ui/Card';

export const RunPage = () => {
  const { id = '' } = useParams();
  const query = useAnswer(runs.detail, { id });
  return (
    <PageView query={query} what="Run">
      {(run) => <Run key={run.id} run={run} />}
    </PageView>
  );
};

const Run = ({ run }: { run: RunView }) => {
  const actions = useRunActions();
  const { data: release } = useAnswer(
    deploys.release,
    { id: run.id },
    { skip: run.kind !== 'deployService' },
  );
  return (
    <DetailPage
      back={{ to: paths.runs(), label: 'Runs' }}
      name={runTitle(run)}
      badge={<RunState run={run} />}
      facts={[
        ...factsOf(run),
        ...(run.kind === 'deployService' ? factsOfRelease(release) : []),
        // Last, because its words become longer when the check has ended.
        ...(isLive(run) ? [] : [{ label: 'Output', value: <OutputCheck run={run} /> }]),
      ]}
      reading={
        run.kind === 'fleet' ? (
          <Link to={paths.fleetRun(run.id)}>Compare results</Link>
        ) : (
          release && <Link to={releasePath(release)}>Deploy record</Link>
        )
      }
      primary={<RunButtons run={run} {...actions} />}
    >
      <ActionFailure failure={actions.failure} onClose={actions.dismiss} />
      {isLive(run) && run.cancelRequested && (
        <Alert color="yellow" variant="light" title="Cancel requested" mb="md">
          <CancelRequested {...run.cancelRequested} />
        </Alert>
      )}
      {run.reason && run.state !== 'failed' && <WhyEnded run={run} reason={run.reason} />}
      <RunProgress run={run} />
      {run.kind === 'fleet' && <Parts run={run} />}
      <RunViewer run={run} />
      <HistoryBelow category="run" id={run.id} name={runTitle(run)} />
    </DetailPage>
  );
};

const RunButtons = ({ run, busy, cancel, retry }: { run: RunView } & ReturnType<typeof useRunActions>) => (
  <>
    {canRetry(run) && (
      <DisabledInPast>
        <Action icon={IconRefresh} variant="default" loading={busy === run.id} does={() => retry(run)}>
          Retry
        </Action>
      </DisabledInPast>
    )}
    {isLive(run) && (
      <DisabledInPast>
        <Action
          icon={IconBan}
          variant="default"
          loading={busy === run.id}
          disabled={!canCancel(run)}
          does={() => cancel(run)}
        >
          {run.cancelRequested ? 'Cancel requested' : 'Cancel run'}
        </Action>
      </DisabledInPast>
    )}
  </>
);

/** Kinds of subject that have a page of their own. */
const pages: Record<string, { label: string; to: (id: string) => string } | undefined> = {
  server: { label: 'Server', to: paths.server },
  domain: { label: 'Domain', to: paths.domain },
};

const factsOf = (run: RunView) => {
  const { subject } = run;
  const page = pages[subject.kind];
  const live = isLive(run);
  return [
    {
      label: page?.label ?? 'Subject',
      value: page ? <Link to={page.to(subject.id)}>{subject.name}</Link> : subject.name,
    },
    {
      label: 'Requested',
      value: <By id={run.requestedBy} at={run.requestedAt} />,
    },
    // A live run shows its elapsed time in the progress bar below.
    ...(live ? [] : [{ label: 'Took', value: <Elapsed since={run.startedAt} ms={tookMs(run)} /> }]),
    ...(run.parent === '' ? [] : [{ label: 'Part of', value: <PartOf id={run.parent} /> }]),
    {
      label: 'Cause',
      value: <Link to={paths.history({ cause: run.correlationId })}>Show chain</Link>,
    },
  ];
};

/** The environment has its place before it is known. */
const factsOfRelease = (release: Release | undefined) => [
  { label: 'Environment', value: release ? <EnvBadge id={release.env.id} /> : '…' },
  ...(release?.why === undefined ? [] : [{ label: 'Why', value: release.why }]),
];

/** Links between a run and its parts (one run per server). */
const PartOf = ({ id }: { id: string }) => {
  const { data: run } = useAnswer(runs.detail, { id });
  return <Link to={paths.run(id)}>{run ? runTitle(run) : 'another run'}</Link>;
};

const Parts = ({ run }: { run: RunView }) => {
  const filter = useMemo(() => ({ parent: run.id }), [run.id]);
  return (
    <Section title="Servers" mb={24}>
      <RunTable
        key={run.id}
        filter={filter}
        of="run"
        label="Runs on each server"
        urlKey="parts"
        empty={<Note>No server has started yet.</Note>}
      />
    </Section>
  );
};
