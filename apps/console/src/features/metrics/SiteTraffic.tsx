/** Requests to a site: totals and the latest minute, and charts with the moments at which its configuration was applied. */
import { traffic } from '@quarterdeck/contract';
import type { DomainView, SiteTraffic as Traffic } from '@quarterdeck/projections';
import { IconActivity } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { bytesInWords } from '../../ui/bytes';
import { Card } from '../../ui/Card';
import {
  ChartChoice,
  Charts,
  ChartTable,
  useRange,
  useView,
  type ChartRange,
} from '../../ui/chart/ChartPage';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { Fact, Facts } from '../../ui/Facts';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';
import { absoluteTime, RelativeTime } from '../../ui/RelativeTime';
import { rateInWords } from './metric-words';
import {
  partInWords,
  requestsInWords,
  requestsPerSecond,
  timeInWords,
  trafficKinds,
  trafficProblemTitles,
  trafficProblemWords,
} from './traffic-words';

/** How often a site is looked at. */
const LOOK_MS = 60_000;

interface SiteTrafficProps {
  domain: Pick<DomainView, 'id' | 'serverName'> & Partial<Pick<DomainView, 'configs'>>;
}

export const SiteTraffic = ({ domain }: SiteTrafficProps) => {
  const isPast = useAsOf() !== undefined;
  const [range, choose] = useRange();
  const [view, show] = useView();
  const query = useAnswer(
    traffic.site,
    { id: domain.id, hours: range.hours },
    { pollingInterval: isPast ? 0 : LOOK_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  return (
    <section aria-label="Traffic" aria-busy={query.currentData === undefined}>
      <ChartChoice range={[range, choose]} view={[view, show]} />
      <DataView query={query} what="Traffic">
        {(found) => <Found found={found} domain={domain} range={range} view={view} />}
      </DataView>
    </section>
  );
};

interface FoundProps extends SiteTrafficProps {
  found: Traffic;
  range: ChartRange;
  view: 'charts' | 'table';
}

const Found = ({ found, domain, range, view }: FoundProps) => {
  const { points, problem, totals, sampled, server } = found;
  const words = problem && trafficProblemWords(problem, server.alias);
  if (points.length === 0)
    return (
      <EmptyState
        icon={IconActivity}
        title={problem ? trafficProblemTitles[problem] : `No samples in ${range.words}`}
      >
        {words ?? `Requests to ${domain.serverName} will appear here within two minutes.`}
      </EmptyState>
    );
  const untimed = totals.requests - totals.timed;
  return (
    <>
      {words !== undefined && (
        <Note mb={16} role="status">
          {words}
        </Note>
      )}
      <Totals found={found} range={range} />
      {untimed > 0 && (
        <Note mb={16}>
          {totals.timed === 0
            ? 'The times of requests are unknown'
            : 'The times of some requests are unknown'}
          : the configuration on the server logs none.{' '}
          <Link to={paths.domain(domain.id, 'config')}>Apply the configuration</Link> to log them from then
          on.
        </Note>
      )}
      {sampled && (
        <Note mb={16}>
          In some minutes more than 16 MB were logged. Of these only the first part was read, and its figures
          were multiplied.
        </Note>
      )}
      {view === 'table' ? (
        <ChartTable
          history={found}
          kinds={trafficKinds}
          label={`Traffic of ${domain.serverName} in ${range.words}`}
        />
      ) : (
        <SiteCharts found={found} configs={domain.configs ?? []} />
      )}
    </>
  );
};

const Totals = ({ found: { totals, newest }, range }: { found: Traffic; range: ChartRange }) => (
  <Card title="Latest figures" mb={20}>
    <Facts>
      {newest?.requests && (
        <Fact label="Requests">
          {requestsPerSecond(newest.requests.avg)}
          {newest.failed &&
            newest.failed.avg > 0 &&
            `, of these ${requestsPerSecond(newest.failed.avg)} failed`}
        </Fact>
      )}
      {newest?.p95 !== undefined && <Fact label="95 % answered within">{timeInWords(newest.p95)}</Fact>}
      {newest?.bytes && <Fact label="Sent">{rateInWords(newest.bytes.avg)}</Fact>}
      {newest && (
        <Fact label="Log read">
          <RelativeTime at={newest.at} />
        </Fact>
      )}
      <Fact label={`In ${range.words}`}>
        {requestsInWords(totals.requests)}
        {totals.requests > 0 && (
          <>
            : {partInWords(totals.failed, totals.requests)} failed (5xx),{' '}
            {partInWords(totals.refused, totals.requests)} refused (4xx); {bytesInWords(totals.bytes, 1000)}{' '}
            sent
          </>
        )}
      </Fact>
      {totals.p50 !== undefined && totals.p95 !== undefined && (
        <Fact label="Times">
          half within {timeInWords(totals.p50)}, 95 % within {timeInWords(totals.p95)}
        </Fact>
      )}
    </Facts>
  </Card>
);

const SiteCharts = ({ found, configs }: { found: Traffic; configs: readonly { at: string }[] }) => {
  const { from, to } = found;
  const applied = configs
    .filter(({ at }) => at >= from && at <= to)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <Charts history={found} kinds={trafficKinds} marks={applied.map(({ at }) => ({ at, is: 'deploy' }))}>
      {applied.length > 0 && (
        <Note className={look.wrap}>
          Configuration applied (green lines): {applied.map(({ at }) => absoluteTime(at)).join('; ')}
        </Note>
      )}
    </Charts>
  );
};
