/** Home page: items that need attention, runs in progress, latest changes, and links to the main areas. */
import { Stack } from '@mantine/core';
import { IconShieldStar } from '@tabler/icons-react';
import { backups, home } from '@quarterdeck/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { useNow } from '../../core/as-of/clock';
import { useAsOf } from '../../core/as-of/as-of-state';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { useNoticeMemory } from '../../records/notices';
import { useRunsInProgressQuery } from '../../records/runs/in-progress.endpoints';
import { RunLines } from '../../records/runs/RunLine';
import { toApiError } from '../../core/http';
import { DataView } from '../../ui/DataView';
import { ErrorState } from '../../ui/ErrorState';
import { PageHeader } from '../../ui/PageHeader';
import { Attention } from './Attention';
import { Cards } from './Cards';
import { Checklist, FIRST_STEPS, isComplete } from './Checklist';
import { LatestChanges } from './LatestChanges';
import { LinesLoading } from './LinesLoading';
import classes from './home.module.css';
import { Dim } from '../../ui/Note';
import { Section } from '../../ui/Card';
import { Columns } from '../../ui/Columns';
import look from '../../ui/look.module.css';

/** Polling interval, needed because load and expiry change without an event. */
const LOOK_MS = 60_000;

interface HomeProps {
  /** What waits for an answer of the person who is signed in. */
  waiting?: ReactNode;
  /** Work of another feature that people carry on. */
  unfinished?: ReactNode;
}

export default function Home(parts: HomeProps) {
  const { can } = useSession();
  return can('admin') ? <Overview {...parts} /> : <Welcome {...parts} />;
}

function Welcome({ waiting }: HomeProps) {
  const { instance } = useSession();
  return (
    <>
      <PageHeader title={`Welcome to ${instance.name}`} />
      {waiting}
    </>
  );
}

function Overview({ waiting, unfinished }: HomeProps) {
  const { can } = useSession();
  const inPast = useAsOf() !== undefined;
  const overview = useAnswer(
    home.overview,
    {},
    { pollingInterval: inPast ? 0 : LOOK_MS, skipPollingIfUnfocused: true },
  );
  const now = useNow(overview.fulfilledTimeStamp);
  const memory = useNoticeMemory();
  const asked = memory !== undefined && memory.stateOf(FIRST_STEPS) === undefined;
  const { data: kept } = useAnswer(backups.overview, undefined, {
    skip: !asked || inPast || !can('superadmin'),
  });
  const isSafe = kept && kept.archives.length > 0 && !kept.target.besideConsole;
  const backup = kept && (isSafe ? 'taken' : 'missing');
  return (
    <>
      <PageHeader title="Home" />
      <Columns className={`${look.columns} ${classes.page}`} widths="minmax(0, 3fr) minmax(0, 2fr)" gap={24}>
        <Stack gap={24} miw={0}>
          <DataView query={overview} what="Overview" loading={<LinesLoading lines={5} />}>
            {({ attention, attentionCount, steps }) => (
              <>
                {(steps.server || attentionCount > 0) && (
                  <Attention items={attention} count={attentionCount} now={now} />
                )}
                {asked && !isComplete(steps, backup) && (
                  <Checklist
                    steps={steps}
                    backup={backup}
                    onHide={() => memory.remember([FIRST_STEPS], 'dismissed')}
                  />
                )}
              </>
            )}
          </DataView>
          {memory === undefined && <ToCome />}
          {waiting}
          <RunningNow />
          {unfinished}
        </Stack>
        <Stack gap={24} miw={0}>
          <LatestChanges />
        </Stack>
      </Columns>
      <Cards counts={overview.data?.counts} />
      {can('superadmin') && (
        <p>
          <Link to={paths.superadmin()}>
            <IconShieldStar size={15} aria-hidden style={{ verticalAlign: 'text-bottom' }} /> Superadmin
          </Link>
        </p>
      )}
    </>
  );
}

/** Nothing is shown yet, and what comes may move what is below it. */
const ToCome = () => <span hidden data-skeleton />;

function RunningNow() {
  const { data: running, error, refetch } = useRunsInProgressQuery();
  if (running === undefined && error === undefined) return <ToCome />;
  if (running?.length === 0 && error === undefined) return null;
  const count = running?.length ?? 0;
  return (
    <Section
      title={
        <>
          Running now{' '}
          {count > 0 && (
            <Dim ml={4} fw={400}>
              {count}
            </Dim>
          )}
        </>
      }
    >
      {error !== undefined && (
        <ErrorState error={toApiError(error)} what="Runs in progress" onRetry={() => void refetch()} inline />
      )}
      {running && count > 0 && <RunLines runs={running} />}
    </Section>
  );
}
