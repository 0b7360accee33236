/** Health history of a server over an hour, day, week or month, as charts or a table. The URL holds both choices. */
import { Box } from '@mantine/core';
import { packagePulls, health, deploys } from '@quarterdeck/contract';
import { IconActivity } from '@tabler/icons-react';
import type { HealthHistory, ServerView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../../core/calls';
import { useNewestHealth } from '../../../records/health';
import { paths } from '../../../core/paths';
import { isUnreachable } from '../../../ui/chart/chart-geometry';
import {
  ChartChoice,
  Charts,
  ChartTable,
  useNewPoints,
  useRange,
  useView,
} from '../../../ui/chart/ChartPage';
import { DataView } from '../../../ui/DataView';
import { EmptyState } from '../../../ui/EmptyState';
import { absoluteTime, durationInWords } from '../../../ui/RelativeTime';
import { chartKinds, checkWords } from './chart-words';
import { noOutageInWords } from './health-words';
import { Dim, Note } from '../../../ui/Note';
import look from '../../../ui/look.module.css';
import { Title } from '../../../ui/heading';
import { List } from '../../../ui/List';

export default function HealthTab({ server }: { server: ServerView }) {
  const [range, choose] = useRange();
  const [view, show] = useView();
  const query = useAnswer(health.history, { id: server.id, hours: range.hours });
  const { currentData, refetch } = query;
  useNewPoints(useNewestHealth(server.id)?.at, { to: currentData?.to, hours: range.hours, refetch });

  return (
    <section aria-label="Health" aria-busy={currentData === undefined}>
      <ChartChoice range={[range, choose]} view={[view, show]}>
        <Link to={paths.settings('health-checks')} style={{ marginLeft: 'auto' }}>
          Check settings
        </Link>
      </ChartChoice>
      <DataView query={query} what="Health">
        {(history) =>
          history.points.length === 0 && history.unreachable.length === 0 ? (
            <EmptyState title={`No checks in ${range.words}`} icon={IconActivity}>
              Load, memory and disk of {server.alias} will appear here after the first check.
            </EmptyState>
          ) : (
            <>
              {view === 'table' ? (
                <ChartTable
                  history={history}
                  kinds={chartKinds}
                  label={`Health of ${server.alias} in ${range.words}`}
                  last={{
                    title: 'Checks',
                    says: ({ at, samples, failed }) =>
                      [
                        samples,
                        failed > 0 && `${failed} failed`,
                        isUnreachable(history.unreachable, at) && 'unreachable',
                      ]
                        .filter((words) => words !== false)
                        .join(', '),
                  }}
                />
              ) : (
                <ServerCharts history={history} server={server.id} />
              )}
              <Outages history={history} alias={server.alias} words={range.words} />
            </>
          )
        }
      </DataView>
    </section>
  );
}

interface Deployed {
  at: string;
  label: string;
}

/** Deploys in the shown range, oldest first. */
const useDeployMarks = (server: string, { from, to }: HealthHistory): readonly Deployed[] => {
  const { data: pulled = [] } = useAnswer(packagePulls.list, { filters: { server: { id: server } } });
  const { data: released = [] } = useAnswer(deploys.releases, { server: { id: server } });
  const marks: Deployed[] = [
    ...pulled
      .filter(({ state, packageId }) => state === 'succeeded' && packageId === undefined)
      .map(({ slug, version = '', date }) => ({ at: date, label: `${slug} ${version}`.trim() })),
    ...released.flatMap(({ served, service, package: { version } }) =>
      served ? [{ at: served.at, label: `${service.name} ${version}` }] : [],
    ),
  ];
  return marks
    .filter(({ at }) => at >= from && at <= to)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
};

const ServerCharts = ({ history, server }: { history: HealthHistory; server: string }) => {
  const deployed = useDeployMarks(server, history);
  return (
    <Charts
      history={history}
      kinds={chartKinds}
      marks={deployed.map(({ at }) => ({ at, is: 'deploy' }))}
      says={checkWords(history)}
    >
      {deployed.length > 0 && (
        <Note className={look.wrap}>
          Deploys (green lines):{' '}
          {deployed.map(({ at, label }) => `${label} on ${absoluteTime(at)}`).join('; ')}
        </Note>
      )}
    </Charts>
  );
};

interface OutagesProps {
  history: HealthHistory;
  alias: string;
  words: string;
}

const Outages = ({ history, alias, words }: OutagesProps) => {
  const { unreachable, to: now } = history;
  if (unreachable.length === 0)
    return (
      <Note mt={16}>
        {alias} had {noOutageInWords(history, words)}.
      </Note>
    );
  return (
    <>
      <Title m="20px 0 8px">Unreachable</Title>
      <List gap={8}>
        {unreachable.toReversed().map(({ from, to, reason }) => (
          <Box component="li" className={`${look.framed} ${look.wrap}`} key={from} p="8px 12px">
            <strong>
              {absoluteTime(from)} to {to ? absoluteTime(to) : 'now'}
            </strong>
            , {durationInWords(Date.parse(to ?? now) - Date.parse(from))}
            {reason && <Dim display="block">{reason}</Dim>}
          </Box>
        ))}
      </List>
    </>
  );
};
