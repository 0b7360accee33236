/** The workspace's SSL monitor: the newest run with its counters, progress and log, earlier runs, and the settings. */
import { IconAlertTriangle, IconHandStop, IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { type RunView, type SslCounters, type SslMonitorStatus, sslTone } from '@quarterdeck/projections';
import { useId, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { Action } from '../../ui/Action';
import { Disclosure } from '../../ui/Disclosure';
import { ErrorState } from '../../ui/ErrorState';
import { Loading } from '../../ui/Loading';
import { ActionFailure, CancelRequested, canCancel, useRunActions } from '../../records/runs';
import { part } from '../../ui/part';
import { StateBadge } from '../../ui/StateBadge';
import { ActivityLog } from './ActivityLog';
import { FoundTable } from './FoundTable';
import { LastRuns } from './LastRuns';
import { MonitorProgress } from './MonitorProgress';
import { countersInWords, notChecked, phaseWords, problemCount, settingsInWords } from './monitor-words';
import { phaseIcons } from './phase-icons';
import { RateBudgets } from './RateBudgets';
import { RunOrigin, Schedule } from './RunOrigin';
import { useSslMonitor, useSslStart, type Monitor } from './use-ssl-monitor';
import { Title } from '../../ui/heading';
import { Card, Head } from '../../ui/Card';
import { Box, Group } from '@mantine/core';
import { Note } from '../../ui/Note';
import look from '../../ui/look.module.css';
import { Columns, Stacked } from '../../ui/Columns';
import { ssl, workspaces } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';
import { toneColor } from '../../ui/tone';
import { Found } from './Found';
import { List } from '../../ui/List';

// The form is loaded when the settings are opened.
const MonitorSettings = part(
  () => import('./MonitorSettings').then((settings) => ({ default: settings.MonitorSettings })),
  'Loading settings',
);

export const SslMonitorPanel = () => {
  const monitor = useSslMonitor();
  const heading = useId();
  const { status, error, refetch } = monitor;
  const title = (
    <Title fz={16} id={heading}>
      SSL certificate monitor
    </Title>
  );
  return (
    <Card p="12px 16px" aria-labelledby={heading}>
      <Stacked gap={12}>
        {!status && title}
        {error && <ErrorState error={error} what="The SSL monitor" onRetry={refetch} inline />}
        {status ? (
          <Known monitor={monitor} status={status} title={title} />
        ) : (
          !error && <Loading lines={8} label="Loading the SSL monitor" />
        )}
      </Stacked>
    </Card>
  );
};

interface KnownProps {
  monitor: Monitor;
  status: SslMonitorStatus;
  title: ReactNode;
}

const Known = ({ monitor, status, title }: KnownProps) => {
  const { run, live } = monitor;
  const starting = useSslStart(status.run);
  const actions = useRunActions();
  // The log starts open for anyone who has seen the run live; others open it themselves.
  const [watched, setWatched] = useState(live);
  if (live && !watched) setWatched(true);
  const { label, tone } = phaseWords[status.phase];
  // A complete run has checked everything; whether all is well depends on the certificates.
  const shown = status.phase === 'complete' ? sslTone(status) : tone;
  return (
    <>
      <Group gap="8px 16px">
        {title}
        <div role="status">
          {starting.requested ? (
            <StateBadge state="requested" />
          ) : (
            <StateBadge
              state={status.phase}
              label={label}
              tone={shown}
              icon={shown === 'bad' || shown === 'warn' ? IconAlertTriangle : phaseIcons[status.phase]}
            />
          )}
        </div>
        <Note flex={1} miw="12rem">
          {run && <RunOrigin run={run} />} <Schedule nextAt={status.nextAt} />
        </Note>
        <DisabledInPast>
          <Buttons run={run} live={live} starting={starting} actions={actions} />
        </DisabledInPast>
      </Group>
      <ActionFailure failure={starting.failure} onClose={starting.dismiss} />
      <ActionFailure failure={actions.failure} onClose={actions.dismiss} />
      {live && run?.cancelRequested && (
        <Note className={look.wrap} role="status">
          <CancelRequested {...run.cancelRequested} />
        </Note>
      )}
      {run?.state === 'failed' && run.reason && (
        <Box component="p" className={look.wrap} m={0}>
          {run.reason}
        </Box>
      )}
      <Tiles counters={status.counters} />
      <MonitorProgress status={status} run={run} live={live} />
      {status.run !== undefined && !live && <Problems run={status.run} counters={status.counters} />}
      <div>
        <Disclosure key={String(watched)} title="Activity log and last runs" startOpen={watched}>
          <Columns widths="minmax(0, 3fr) minmax(0, 2fr)" gap="16px 24px">
            <Box miw={0}>
              <Head title="Activity log" least={3} mb={8}>
                {run && <Link to={paths.run(run.id)}>Open run</Link>}
              </Head>
              <ActivityLog key={run?.id} run={run} live={live} />
            </Box>
            <LastRuns />
          </Columns>
        </Disclosure>
        {status.run !== undefined && (
          <Disclosure title="Domain by domain" digest={countersInWords(status.counters)}>
            <FoundTable key={status.run} run={status.run} counters={status.counters} urlKey="ssl" />
          </Disclosure>
        )}
        <Disclosure title="Remaining rate limits of the certificate authority">
          <RateBudgets />
        </Disclosure>
        <Disclosure title="Settings" digest={<SettingsInForce />}>
          <MonitorSettings />
        </Disclosure>
      </div>
    </>
  );
};

interface ButtonsProps {
  run: RunView | undefined;
  live: boolean;
  starting: ReturnType<typeof useSslStart>;
  actions: ReturnType<typeof useRunActions>;
}

const Buttons = ({ run, live, starting, actions }: ButtonsProps) => {
  if (live) {
    const requested = run?.cancelRequested !== undefined;
    return (
      <Group gap={8}>
        <DisabledInPast>
          <Action
            icon={IconHandStop}
            variant="default"
            loading={run !== undefined && actions.busy === run.id}
            disabled={run === undefined || !canCancel(run)}
            does={() => run && void actions.cancel(run)}
          >
            {requested ? 'Stop requested' : 'Stop'}
          </Action>
        </DisabledInPast>
      </Group>
    );
  }
  return (
    <Group gap={8}>
      <DisabledInPast>
        <Action
          icon={IconPlayerPlay}
          variant="light"
          loading={starting.requested}
          does={() => starting.start(false)}
        >
          Start SSL monitor
        </Action>
      </DisabledInPast>
      <DisabledInPast>
        <Action
          icon={IconSearch}
          variant="default"
          disabled={starting.requested}
          does={() => starting.start(true)}
        >
          Check only
        </Action>
      </DisabledInPast>
    </Group>
  );
};

/** The settings in one line; empty until they have loaded. */
const SettingsInForce = () => {
  const { data } = useAnswer(workspaces.detail);
  return data && settingsInWords(data.sslMonitor);
};

interface Tile {
  label: string;
  count: (counters: SslCounters) => number;
  tone?: 'good' | 'warn' | 'bad';
}

/** These add up to the total: each domain is counted in exactly one of them. */
const outcomes: readonly Tile[] = [
  { label: 'Valid', count: ({ valid }) => valid, tone: 'good' },
  { label: 'Expiring', count: ({ expiring }) => expiring, tone: 'warn' },
  { label: 'Expired', count: ({ expired }) => expired, tone: 'bad' },
  { label: 'Unreachable', count: ({ unreachable }) => unreachable, tone: 'bad' },
  { label: 'Not valid', count: ({ invalid }) => invalid, tone: 'bad' },
  { label: 'Not checked', count: notChecked },
];

/** `Failed` counts renewals. */
const renewals: readonly Tile[] = [
  { label: 'Renewed', count: ({ renewed }) => renewed, tone: 'good' },
  { label: 'Failed', count: ({ failed }) => failed, tone: 'bad' },
];

/** The counters. A count of zero has no colour. */
const Tiles = ({ counters }: { counters: SslCounters }) => (
  <Group component="dl" gap="4px 20px" m={0} aria-label="Counters">
    {[{ label: 'Total', count: ({ total }: SslCounters) => total }, ...outcomes, ...renewals].map(
      ({ label, count, ...tile }: Tile) => (
        <Group key={label} gap={6} align="baseline">
          <Box component="dt" c="dimmed">
            {label}
          </Box>
          <Box
            component="dd"
            m={0}
            fz={16}
            fw={600}
            {...(tile.tone && count(counters) > 0 && { c: toneColor(tile.tone) })}
          >
            {count(counters).toLocaleString('en')}
          </Box>
        </Group>
      ),
    )}
  </Group>
);

/** The worst results of a run, each with the domain, verdict and reason. */
const SHOWN = 5;

const Problems = ({ run, counters }: { run: string; counters: SslCounters }) => {
  const count = problemCount(counters);
  const skip = count + counters.failed === 0;
  const { currentData: worst = [] } = useAnswer(ssl.checks, { id: run, problems: SHOWN }, { skip });
  if (skip || worst.length === 0) return null;
  return (
    <section aria-label="Problems">
      <List>
        {worst.map((check) => (
          <Group component="li" key={check.domain} gap="2px 12px" align="baseline" py={4}>
            <Link className={look.mono} to={paths.domain(check.domain, 'certificate')}>
              {check.serverName}
            </Link>
            <Found check={check} />
          </Group>
        ))}
      </List>
      {count > worst.length && (
        <Note className={look.wrap}>{(count - worst.length).toLocaleString('en')} more below</Note>
      )}
    </section>
  );
};
