/** How complete each language is: now by state, and over the last days. */
import { Group, SegmentedControl } from '@mantine/core';
import { texts, type Answer } from '@quarterdeck/contract';
import { languages } from '@quarterdeck/texts/languages';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { Section } from '../../ui/Card';
import { DataView } from '../../ui/DataView';
import { Loading } from '../../ui/Loading';
import { Meter } from '../../ui/Meter';
import { Note } from '../../ui/Note';
import { PageHeader } from '../../ui/PageHeader';
import { withParams } from '../../ui/params';
import { PlainTable } from '../../ui/PlainTable';
import { instantsOf } from './completeness';
import { HeatMap, percentOf } from './HeatMap';
import { missingPath, narrowings, wordsOf, type TextsOf } from './text-words';

type Counts = Answer<typeof texts.completeness>;

const PERIODS = ['14', '90', '366'];

export const CompletenessPage = ({ base, product: { id }, isCms }: TextsOf) => {
  const [params, setParams] = useSearchParams();
  const asked = params.get('days');
  const period = asked !== null && PERIODS.includes(asked) ? asked : '90';
  const of = { product: { id }, isCms };
  const counts = useAnswer(texts.completeness, of);
  const days = useAnswer(texts.completenessByDay, { ...of, days: Number(period) });
  const words = wordsOf(isCms);
  return (
    <>
      <PageHeader title="Completeness" description={<Link to={base}>Back to the {words.many}</Link>} />
      <Section title="By language" mb={24}>
        <DataView query={counts} what="Completeness" loading={<Rows label="Loading completeness" />}>
          {(data) => <ByLanguage counts={data} base={base} />}
        </DataView>
      </Section>
      <Section
        title="Over time"
        actions={
          <SegmentedControl
            aria-label="Period"
            size="xs"
            value={period}
            data={PERIODS.map((value) => ({
              value,
              label: value === '366' ? 'One year' : `${value} days`,
            }))}
            onChange={(value) =>
              setParams((latest) => withParams(latest, { days: value === '90' ? undefined : value }), {
                preventScrollReset: true,
              })
            }
          />
        }
      >
        <Note mb={8}>
          The share of keys that have a text, at the end of each day (UTC). A cell opens the keys that lacked
          one.
        </Note>
        <DataView
          query={days}
          what="Completeness over time"
          loading={<Rows label="Loading completeness over time" />}
        >
          {(data) => <OverTime days={data.days} base={base} />}
        </DataView>
      </Section>
    </>
  );
};

/** About as high as a row for each language, so that nothing below moves. */
const Rows = ({ label }: { label: string }) => (
  <Loading lines={Math.round(1.3 * languages.length)} label={label} />
);

const OverTime = ({ days, base }: { days: Parameters<typeof instantsOf>[0]; base: string }) => {
  const instants = useMemo(() => instantsOf(days), [days]);
  return (
    <HeatMap
      label="Completeness over time"
      instants={instants}
      href={(language, { end }) => missingPath(base, language, end)}
    />
  );
};

const ByLanguage = ({ counts: { keys, languages: all }, base }: { counts: Counts; base: string }) => (
  <PlainTable label="Completeness by language" mah="none">
    <thead>
      <tr>
        {['Language', 'Complete', 'Reviewed', 'Translated', 'Outdated', 'Missing'].map((heading, at) => (
          <th key={heading} scope="col" data-numeric={at > 1 || undefined}>
            {heading}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {all.map(({ language: { code, name }, missing, translated, reviewed, outdated }) => {
        const share = (count: number): number => (keys === 0 ? 0 : count / keys);
        const counted = { reviewed, translated, outdated, missing };
        return (
          <tr key={code}>
            <th scope="row">{name}</th>
            <td>
              <Group gap={8} wrap="nowrap">
                <Meter
                  aria-hidden
                  w={120}
                  parts={[
                    { tone: 'good' as const, share: share(reviewed) },
                    { tone: 'info' as const, share: share(translated) },
                    { tone: 'warn' as const, share: share(outdated) },
                  ].filter((one) => one.share > 0)}
                />
                <span>{percentOf({ done: keys - missing, of: keys })}%</span>
              </Group>
            </td>
            {(['reviewed', 'translated', 'outdated', 'missing'] as const).map((state) => (
              <td key={state} data-numeric>
                {state === 'translated' || counted[state] === 0 ? (
                  counted[state].toLocaleString('en')
                ) : (
                  <Link
                    to={`${base}?language=${code}&is=${state}`}
                    aria-label={`${counted[state].toLocaleString('en')} ${narrowings[state].label.toLowerCase()} in ${name}`}
                  >
                    {counted[state].toLocaleString('en')}
                  </Link>
                )}
              </td>
            ))}
          </tr>
        );
      })}
    </tbody>
  </PlainTable>
);
