/** What the container of a service uses: the latest figures, and charts with its deploys and restarts. */
import { deploys, health } from '@quarterdeck/contract';
import type { NewestUsage, ServiceMetrics as Metrics } from '@quarterdeck/projections';
import { IconActivity, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useAnswer } from '../../core/calls';
import { useNewestHealth } from '../../records/health';
import { useLiveHealth } from '../../records/live-health';
import { bytesInWords } from '../../ui/bytes';
import { Card } from '../../ui/Card';
import {
  ChartChoice,
  Charts,
  ChartTable,
  useNewPoints,
  useRange,
  useView,
  type ChartRange,
} from '../../ui/chart/ChartPage';
import { count } from '../../ui/count';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { Fact, Facts } from '../../ui/Facts';
import look from '../../ui/look.module.css';
import { Mono, Note } from '../../ui/Note';
import { absoluteTime, RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { percentInWords, problemTitles, problemWords, rateInWords, serviceKinds } from './metric-words';

interface ServiceMetricsProps {
  service: { id: string; name: string };
  server: { id: string } | undefined;
}

export const ServiceMetrics = ({ service, server }: ServiceMetricsProps) => {
  useLiveHealth();
  const [range, choose] = useRange();
  const [view, show] = useView();
  const query = useAnswer(health.service, { id: service.id, hours: range.hours });
  const { currentData, refetch } = query;
  useNewPoints(useNewestHealth(server?.id ?? '')?.at, { to: currentData?.to, hours: range.hours, refetch });
  return (
    <section aria-label="Metrics" aria-busy={currentData === undefined}>
      <ChartChoice range={[range, choose]} view={[view, show]} />
      <DataView query={query} what="Metrics">
        {(metrics) => <Found metrics={metrics} name={service.name} range={range} view={view} />}
      </DataView>
    </section>
  );
};

interface FoundProps {
  metrics: Metrics;
  name: string;
  range: ChartRange;
  view: 'charts' | 'table';
}

const Found = ({ metrics, name, range, view }: FoundProps) => {
  const { points, problem, server, newest } = metrics;
  const words = problem && problemWords(problem, server?.alias ?? 'the server');
  if (points.length === 0)
    return (
      <EmptyState
        icon={IconActivity}
        title={problem ? problemTitles[problem] : `No samples in ${range.words}`}
      >
        {words ??
          `Figures of ${name} will appear here after the next check of ${server?.alias ?? 'its server'}.`}
      </EmptyState>
    );
  return (
    <>
      {words !== undefined && (
        <Note mb={16} role="status">
          {words}
        </Note>
      )}
      {newest && <Latest newest={newest} restarted={metrics.restarted} range={range} />}
      {view === 'table' ? (
        <ChartTable
          history={metrics}
          kinds={serviceKinds}
          label={`Metrics of ${name} in ${range.words}`}
          last={{ title: 'Checks', says: ({ samples }) => String(samples) }}
        />
      ) : (
        <ServiceCharts metrics={metrics} />
      )}
    </>
  );
};

const tones: Readonly<Record<string, 'good' | 'bad' | 'warn'>> = {
  running: 'good',
  restarting: 'bad',
  exited: 'bad',
  dead: 'bad',
};

const Latest = ({
  newest,
  restarted,
  range,
}: {
  newest: NewestUsage;
  restarted: number;
  range: ChartRange;
}) => {
  const { at, state, started, exitCode, outOfMemory = false, cpu, memory, limit, received, sent } = newest;
  return (
    <Card title="Latest figures" mb={20}>
      <Facts>
        <Fact label="Container">
          <Mono>{newest.container}</Mono>{' '}
          <StateBadge
            state={state}
            tone={tones[state] ?? 'warn'}
            icon={state === 'running' ? IconCircleCheck : IconCircleX}
          />
        </Fact>
        {state !== 'running' && exitCode !== undefined && (
          <Fact label="Ended with">
            {`exit code ${exitCode}`}
            {outOfMemory && ', out of memory'}
          </Fact>
        )}
        {cpu !== undefined && <Fact label="Processor">{percentInWords(cpu)} of one core</Fact>}
        {memory !== undefined && (
          <Fact label="Memory">
            {bytesInWords(memory)}
            {limit === undefined
              ? ', no limit'
              : ` of ${bytesInWords(limit)} (${percentInWords(memory / limit)})`}
          </Fact>
        )}
        {received !== undefined && sent !== undefined && (
          <Fact label="Network">
            {rateInWords(received)} received, {rateInWords(sent)} sent
          </Fact>
        )}
        <Fact label="Restarts">
          {restarted === 0 ? 'none' : count(restarted, 'restart')} in {range.words}
        </Fact>
        {started !== undefined && state === 'running' && (
          <Fact label="Started">
            <RelativeTime at={started} />
          </Fact>
        )}
        <Fact label="Checked">
          <RelativeTime at={at} />
        </Fact>
      </Facts>
    </Card>
  );
};

const ServiceCharts = ({ metrics }: { metrics: Metrics }) => {
  const { from, to, restarts } = metrics;
  const { data: released = [] } = useAnswer(deploys.releases, { service: { id: metrics.id } });
  const deployed = released
    .flatMap(({ served, package: { version } }) => (served ? [{ at: served.at, version }] : []))
    .filter(({ at }) => at >= from && at <= to)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <Charts
      history={metrics}
      kinds={serviceKinds}
      marks={[
        ...deployed.map(({ at }) => ({ at, is: 'deploy' as const })),
        ...restarts.map(({ at }) => ({ at, is: 'restart' as const })),
      ]}
    >
      {deployed.length > 0 && (
        <Note className={look.wrap}>
          Deploys (green lines):{' '}
          {deployed.map(({ at, version }) => `${version} on ${absoluteTime(at)}`).join('; ')}
        </Note>
      )}
      {restarts.length > 0 && (
        <Note className={look.wrap}>
          Restarts (dashed red lines): {restarts.map(restartInWords).join('; ')}
          {metrics.restarted > restarts.reduce((sum, one) => sum + one.count, 0) && '; and older ones'}
        </Note>
      )}
    </Charts>
  );
};

const restartInWords = ({ at, count: times, exitCode, outOfMemory }: Metrics['restarts'][number]): string =>
  [
    `${times > 1 ? `${times} times before ` : ''}${absoluteTime(at)}`,
    exitCode !== undefined && `exit code ${exitCode}`,
    outOfMemory === true && 'out of memory',
  ]
    .filter((words) => words !== false)
    .join(', ');
