/** The run of a command or script on the Commands tab: live output first, then its result and how it ended. */
import { Button, Group, Loader } from '@mantine/core';
import { runs } from '@quarterdeck/contract';
import { IconRefresh } from '@tabler/icons-react';
import type { RunView } from '@quarterdeck/projections';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import type { ApiError } from '../../core/http';
import { toApiError } from '../../core/http';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { useRunsInProgressQuery } from '../../records/runs/in-progress.endpoints';
import { Actor } from '../../records/actor';
import { Action } from '../../ui/Action';
import { ErrorState } from '../../ui/ErrorState';
import { Loading } from '../../ui/Loading';
import { RunOutput, useRunOutput } from '../../records/run-output';
import {
  Elapsed,
  exitCodeOf,
  isLive,
  outputFilename,
  tookMs,
  useRunsInfiniteQuery,
} from '../../records/runs';
import { RunState } from '../../records/runs/RunState';
import { WhyEnded } from '../../records/runs/WhyEnded';
import { Failure } from './Failure';
import { CommandResult } from './results/CommandResult';
import { useResult } from './results/use-result';
import { Dim, Note } from '../../ui/Note';
import { Title } from '../../ui/heading';

interface CommandRunProps {
  run: string;
  /** The server's id and alias. */
  server: string;
  alias: string;
  /** The call that starts the run has no answer yet, so the run may not be recorded. */
  asking: boolean;
  /** Error of the call that started the run. */
  refused: ApiError | undefined;
  /** Starts the same command or script again as a new run. */
  onAgain: (run: RunView) => void;
}

/** Whether the run can be fetched: the call that starts it was answered, or the run is listed as in progress. */
const useRecorded = (id: string, asking: boolean): boolean => {
  const [recorded, setRecorded] = useState(!asking);
  const { underWay } = useRunsInProgressQuery(undefined, {
    skip: recorded,
    selectFromResult: ({ data = [] }) => ({ underWay: data.some((run) => run.id === id) }),
  });
  if (!recorded && (underWay || !asking)) setRecorded(true);
  return recorded;
};

export const CommandRun = ({ run: id, server, alias, asking, refused, onAgain }: CommandRunProps) => {
  const { data: run, error } = useAnswer(runs.detail, { id }, { skip: !useRecorded(id, asking) });
  const failed = error === undefined ? undefined : toApiError(error);
  // A 404 is not a failure: a shared link may be opened just before its run is recorded.
  const awaited = !run && !refused && (!failed || failed.status === 404);
  if (run?.kind === 'fleet') return <OfScript fleet={run} onAgain={onAgain} />;
  if (run) return <Known run={run} refused={refused} onAgain={onAgain} />;
  if (refused) return <Failure what={`Nothing was run on ${alias}`} error={refused} server={server} />;
  if (awaited) return <Requested />;
  return failed ? <ErrorState error={failed} what="Run" /> : null;
};

const Requested = () => (
  <Note below role="status">
    <Loader size="xs" mr="xs" /> Requested …
  </Note>
);

/** A script on one server is a fleet run with a single part; this shows that part. */
const OfScript = ({ fleet, onAgain }: { fleet: RunView } & Pick<CommandRunProps, 'onAgain'>) => {
  const { currentData } = useRunsInfiniteQuery({ parent: fleet.id });
  const part = currentData?.pages[0]?.runs[0];
  if (part) return <Known run={part} refused={undefined} onAgain={onAgain} />;
  return isLive(fleet) || !currentData ? (
    <Requested />
  ) : (
    <Note below>
      {fleet.reason} <Link to={paths.fleetRun(fleet.id)}>Open run</Link>
    </Note>
  );
};

const Known = ({
  run,
  refused,
  onAgain,
}: { run: RunView } & Pick<CommandRunProps, 'refused' | 'onAgain'>) => {
  const live = isLive(run);
  const output = useRunOutput(run.id, live);
  const result = useResult(run, output.log);
  const [raw, setRaw] = useState(false);
  const exitCode = exitCodeOf(run);
  const reason = run.state === 'failed' && run.reason;
  const ended = run.state !== 'failed' && run.reason;
  const failure = reason ? { msg: reason, ...(run.code && { code: run.code }) } : ended ? undefined : refused;
  return (
    <section aria-label={run.label}>
      <Group gap="8px 12px" mb={12}>
        <Title>{run.label}</Title>
        <RunState run={run} />
        <Dim>
          {exitCode !== undefined && <>exit code {exitCode}, </>}
          <Elapsed since={run.startedAt} ms={tookMs(run)} />, by <Actor id={run.requestedBy} inSentence />
        </Dim>
        <Link to={paths.run(run.id)}>Open run</Link>
        {result && (
          <Button variant="default" onClick={() => setRaw(!raw)}>
            {raw ? 'Show result' : 'Show raw output'}
          </Button>
        )}
        {!live && (
          <DisabledInPast>
            <Action icon={IconRefresh} variant="default" does={() => onAgain(run)}>
              Run again
            </Action>
          </DisabledInPast>
        )}
      </Group>
      {ended && !live && <WhyEnded run={run} reason={ended} />}
      {failure && !live && (
        <Failure
          what={`${run.label} on ${run.subject.name} failed`}
          error={failure}
          server={run.subject.id}
        />
      )}
      {output.error && <ErrorState error={output.error} what="Output" onRetry={output.retry} inline />}
      {result && !raw ? (
        <CommandResult label={`Result of ${run.label} on ${run.subject.name}`} blocks={result} />
      ) : output.loading && output.log.count === 0 ? (
        <Loading lines={6} label="Loading output" />
      ) : (
        <RunOutput
          log={output.log}
          label={`Output of ${run.label} on ${run.subject.name}`}
          live={live}
          filename={outputFilename(run)}
          linkTo={paths.run(run.id)}
        />
      )}
    </section>
  );
};
