/** Charts of a page with one cursor, their range, and the same figures as a table. The URL holds the choices. */
import { Group, SegmentedControl } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useAsOf } from '../../core/as-of/as-of-state';
import { Stacked } from '../Columns';
import { withParams } from '../params';
import { PlainTable } from '../PlainTable';
import type { ChartHistory } from './chart-geometry';
import { pointTime, valueWords, type ChartKind } from './chart-words';
import { TimeChart, type Mark } from './TimeChart';

export const ranges = [
  { value: '1h', label: '1 h', hours: 1, words: 'the last hour' },
  { value: '24h', label: '24 h', hours: 24, words: 'the last 24 hours' },
  { value: '7d', label: '7 d', hours: 168, words: 'the last 7 days' },
  { value: '30d', label: '30 d', hours: 720, words: 'the last 30 days' },
] as const;
export type ChartRange = (typeof ranges)[number];
const usual = ranges[1];
/** Points per range. The figures are fetched again when a newer check would be a new point. */
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

export const useRange = (): readonly [ChartRange, (to: string) => void] => {
  const [chosen, choose] = useChoice(
    'range',
    ranges.map(({ value }) => value),
    usual.value,
  );
  return [ranges.find(({ value }) => value === chosen) ?? usual, choose];
};

/** Asks again when the newest sample would be a new point. */
export const useNewPoints = (
  newest: string | undefined,
  { to, hours, refetch }: { to: string | undefined; hours: number; refetch: () => unknown },
): void => {
  const isPast = useAsOf() !== undefined;
  useEffect(() => {
    if (isPast || newest === undefined || to === undefined) return;
    if (Date.parse(newest) - Date.parse(to) > (hours * 3_600_000) / POINTS) void refetch();
  }, [isPast, newest, to, hours, refetch]);
};

const views = ['charts', 'table'] as const;

export const useView = (): readonly [(typeof views)[number], (to: string) => void] => {
  const [view, show] = useChoice('as', views, 'charts');
  return [view === 'table' ? 'table' : 'charts', show];
};

interface ChartChoiceProps {
  range: readonly [ChartRange, (to: string) => void];
  view: readonly [string, (to: string) => void];
  /** At the end of the line. */
  children?: ReactNode;
}

export const ChartChoice = ({ range: [range, choose], view: [view, show], children }: ChartChoiceProps) => (
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
    {children}
  </Group>
);

interface ChartsProps<P extends { at: string }> {
  history: ChartHistory<P>;
  kinds: readonly ChartKind<P>[];
  marks: readonly Mark[];
  says?: (point: P) => readonly string[];
  children?: ReactNode;
}

export const Charts = <P extends { at: string }>({
  history,
  kinds,
  marks,
  says = () => [],
  children,
}: ChartsProps<P>) => {
  const [cursor, setCursor] = useState<{ index: number; id: string }>();
  return (
    <Stacked gap={20}>
      {kinds.map((kind) => (
        <TimeChart
          key={kind.id}
          history={history}
          kind={kind}
          cursor={cursor?.index}
          here={cursor?.id === kind.id}
          marks={marks}
          says={says}
          onCursor={(index) => setCursor(index === undefined ? undefined : { index, id: kind.id })}
        />
      ))}
      {children}
    </Stacked>
  );
};

interface ChartTableProps<P extends { at: string }> extends Pick<ChartsProps<P>, 'history' | 'kinds'> {
  label: string;
  /** A column after those of the charts. */
  last?: { title: string; says: (point: P) => string };
}

/** The charts' data as a table, for screen readers and for copying. */
export const ChartTable = <P extends { at: string }>({ history, kinds, label, last }: ChartTableProps<P>) => (
  <PlainTable label={label}>
    <thead>
      <tr>
        <th scope="col">Time</th>
        {kinds.map(({ id, title }) => (
          <th key={id} scope="col">
            {title}
          </th>
        ))}
        {last && <th scope="col">{last.title}</th>}
      </tr>
    </thead>
    <tbody>
      {history.points.toReversed().map((point) => (
        <tr key={point.at}>
          <th scope="row">
            <time dateTime={point.at}>{pointTime(point.at)}</time>
          </th>
          {kinds.map((kind) => (
            <td key={kind.id}>{valueWords(point, kind) ?? 'not sent'}</td>
          ))}
          {last && <td>{last.says(point)}</td>}
        </tr>
      ))}
    </tbody>
  </PlainTable>
);
