/** Health history of a server over an hour, day, week or month, as charts or a table. The URL holds both choices. */
import { Box, Group, SegmentedControl } from '@mantine/core';
import { packagePulls, health, deploys } from '@quarterdeck/contract';
import { IconActivity } from '@tabler/icons-react';
import type { HealthHistory, ServerView } from '@quarterdeck/projections';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAnswer } from '../../../core/calls';
import { useNewestHealth } from '../../../records/health';
import { paths } from '../../../core/paths';
import { DataView } from '../../../ui/DataView';
import { EmptyState } from '../../../ui/EmptyState';
import { withParams } from '../../../ui/params';
import { absoluteTime, durationInWords } from '../../../ui/RelativeTime';
import { isUnreachable, type Quantity } from './chart-geometry';
import { chartKinds, pointTime, rangeWords } from './chart-words';
import { HealthChart, type Mark } from './HealthChart';
import { noOutageInWords } from './health-words';
import { Stacked } from '../../../ui/Columns';
import { Dim, Note } from '../../../ui/Note';
import look from '../../../ui/look.module.css';
import { Title } from '../../../ui/heading';
import { List } from '../../../ui/List';
import { PlainTable } from '../../../ui/PlainTable';

const ranges = [
  { value: '1h', label: '1 h', hours: 1, words: 'the last hour' },
  { value: '24h', label: '24 h', hours: 24, words: 'the last 24 hours' },
  { value: '7d', label: '7 d', hours: 168, words: 'the last 7 days' },
  { value: '30d', label: '30 d', hours: 720, words: 'the last 30 days' },
] as const;
const usual = ranges[1];
/** Points per range. The history is fetched again when a newer check would be a new point. */
const POINTS = 300;

const useChoice = (name: string, values: readonly string[], first: string) => {
  const [params, setParams] = useSearchParams();
  const written = params.get(name) ?? first;
  const choose = (to: string): void =>
    setParams((latest) => withParams(latest, { [name]: to === first ? undefined : to }), {
      preventScrollReset: true,
    });
  return [values.includes(written) ? written : first, choose] as const;
};

export default function HealthTab({ server }: { server: ServerView }) {
  const [chosen, choose] = useChoice(
    'range',
    ranges.map(({ value }) => value),
    usual.value,
  );
  const [view, show] = useChoice('as', ['charts', 'table'], 'charts');
  const range = ranges.find(({ value }) => value === chosen) ?? usual;
  const query = useAnswer(health.history, { id: server.id, hours: range.hours });
  const { currentData, refetch } = query;
  const newest = useNewestHealth(server.id)?.at;
  useEffect(() => {
    if (!newest || !currentData) return;
    const newer = Date.parse(newest) - Date.parse(currentData.to);
    if (newer > (range.hours * 3_600_000) / POINTS) void refetch();
  }, [newest, currentData, range, refetch]);

  return (
    <section aria-label="Health" aria-busy={currentData === undefined}>
      <Group gap="8px 16px" mb={16}>
        <SegmentedControl
          aria-label="Range"
          size="xs"
          value={range.value}
          onChange={choose}
          data={ranges.map(({ value, label }) => ({ value, label }))}
        />
        <SegmentedControl
          aria-label="Shown as"
          size="xs"
          value={view}
          onChange={show}
          data={[
            { value: 'charts', label: 'Charts' },
            { value: 'table', label: 'Table' },
          ]}
        />
        <Link to={paths.settings('health-checks')} style={{ marginLeft: 'auto' }}>
          Check settings
        </Link>
      </Group>
      <DataView query={query} what="Health">
        {(history) =>
          history.points.length === 0 && history.unreachable.length === 0 ? (
            <EmptyState title={`No checks in ${range.words}`} icon={IconActivity}>
              Load, memory and disk of {server.alias} will appear here after the first check.
            </EmptyState>
          ) : (
            <>
              {view === 'table' ? (
                <HealthTable history={history} label={`Health of ${server.alias} in ${range.words}`} />
              ) : (
                <Charts history={history} server={server.id} />
              )}
              <Outages history={history} alias={server.alias} words={range.words} />
            </>
          )
        }
      </DataView>
    </section>
  );
}

/** Deploys in the shown range, oldest first. */
const useDeployMarks = (server: string, { from, to }: HealthHistory): readonly Mark[] => {
  const { data: pulled = [] } = useAnswer(packagePulls.list, { filters: { server: { id: server } } });
  const { data: released = [] } = useAnswer(deploys.releases, { server: { id: server } });
  const marks: Mark[] = [
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

const Charts = ({ history, server }: { history: HealthHistory; server: string }) => {
  const marks = useDeployMarks(server, history);
  const [cursor, setCursor] = useState<{ index: number; quantity: Quantity }>();
  return (
    <Stacked gap={20}>
      {chartKinds.map((kind) => (
        <HealthChart
          key={kind.quantity}
          history={history}
          kind={kind}
          cursor={cursor?.index}
          here={cursor?.quantity === kind.quantity}
          marks={marks}
          onCursor={(index) =>
            setCursor(index === undefined ? undefined : { index, quantity: kind.quantity })
          }
        />
      ))}
      {marks.length > 0 && (
        <Note className={look.wrap}>
          Deploys (green lines): {marks.map(({ at, label }) => `${label} on ${absoluteTime(at)}`).join('; ')}
        </Note>
      )}
    </Stacked>
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

/** The charts' data as a table, for screen readers and for copying. */
const HealthTable = ({ history, label }: { history: HealthHistory; label: string }) => (
  <PlainTable label={label}>
    <thead>
      <tr>
        <th scope="col">Time</th>
        {chartKinds.map(({ title }) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
        <th scope="col">Checks</th>
      </tr>
    </thead>
    <tbody>
      {history.points.toReversed().map((point) => (
        <tr key={point.at}>
          <th scope="row">
            <time dateTime={point.at}>{pointTime(point.at)}</time>
          </th>
          {chartKinds.map(({ quantity, format }) => {
            const range = point[quantity];
            return <td key={quantity}>{range ? rangeWords(range, format) : 'not sent'}</td>;
          })}
          <td>
            {point.samples}
            {point.failed > 0 && `, ${point.failed} failed`}
            {isUnreachable(history.unreachable, point.at) && ', unreachable'}
          </td>
        </tr>
      ))}
    </tbody>
  </PlainTable>
);
