/** All events of the workspace, with actor, time, subject and cause. */
import { Anchor, Button, Group, MultiSelect, Popover, Select, Stack, Text } from '@mantine/core';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../../ui/EmptyState';
import {
  EventDrawer,
  type HistoryFilter,
  HistoryList,
  knownTypes,
  typeInWords,
  useAllEvents,
  useHistory,
  useOpenEvent,
} from '../../records/history';
import { PageHeader } from '../../ui/PageHeader';
import { PrintButton, useGatheredPrint } from '../../ui/PrintButton';
import { exportPath, type FilterChange, isFiltered, readFilter, withFilter } from './history-filter';
import { useAsOf } from '../../core/as-of/as-of-state';
import { nouns } from '@quarterdeck/events';
import { sentenceOf, subjectName } from '@quarterdeck/projections';
import { useActorName } from '../../records/actor';
import { actorChoices } from '../../records/choices';
import { ChoiceSelect } from '../../ui/choice';
import { filterChoice, FilterForm } from '../../ui/FilterForm';
import { count } from '../../ui/count';
import { absoluteTime } from '../../ui/RelativeTime';
import { InstantInput } from '../../ui/InstantInput';
import { SearchField } from '../../ui/SearchField';

export const HistoryPage = () => {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const feed = useHistory(filter);
  const [open, setOpen] = useOpenEvent();
  const change = (next: FilterChange) =>
    setParams((latest) => withFilter(latest, next), { preventScrollReset: true, replace: 'text' in next });

  return (
    <>
      <PageHeader
        title="History"
        description="Every change: who, when and why. Updates live."
        reading={<ExportMenu filter={filter} />}
      />
      <HistoryFilters filter={filter} change={change} />
      <HistoryList
        feed={feed}
        label="History"
        open={open}
        onOpen={setOpen}
        height="max(16rem, calc(100dvh - 21rem))"
        {...(isFiltered(filter) && { end: 'No older events match these filters.' })}
        empty={
          isFiltered(filter) ? (
            <EmptyState
              title="No event matches"
              icon={IconHistory}
              action={
                <Button variant="default" onClick={() => setParams({})}>
                  Remove all filters
                </Button>
              }
            >
              No event matches these filters yet.
            </EmptyState>
          ) : (
            <EmptyState title="No events yet" icon={IconHistory}>
              Every change in this workspace will appear here: who did it, when, and what it caused.
            </EmptyState>
          )
        }
      />
      <EventDrawer position={open} onOpen={setOpen} onClose={() => setOpen(undefined)} />
    </>
  );
};

/** Export of the filtered events. A plain download link, because the browser streams a large file to disk. */
const formats = [
  { format: 'csv', label: 'CSV, for spreadsheets' },
  { format: 'jsonl', label: 'JSON lines, for programs' },
] as const;

/** Events in a printed document; more would not fit on 200 pages. */
const MAX_PRINTED = 5_000;

const ExportMenu = ({ filter }: { filter: HistoryFilter }) => {
  const at = useAsOf();
  const nameOf = useActorName();
  const allEvents = useAllEvents();
  const gather = async () => {
    const { events, more } = await allEvents(filter, MAX_PRINTED);
    const restrictedTo = [
      ...(filter.text === undefined ? [] : [filter.text]),
      ...filtersIn(filter, nameOf).map(({ words }) => words),
    ];
    return {
      title: 'History',
      facts: [
        ...(restrictedTo.length > 0 ? [['Filters', restrictedTo.join('; ')] as const] : []),
        [
          'Events',
          more
            ? `the newest ${count(events.length, 'event')}; the export has all`
            : count(events.length, 'event'),
        ] as const,
      ],
      table: {
        head: ['Time', 'Event', 'Subject'],
        rows: events.map((event) => [
          absoluteTime(event.at),
          sentenceOf(event, nameOf),
          subjectName(event, nameOf),
        ]),
      },
    };
  };
  const printing = useGatheredPrint(gather);
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus width={240} shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text size="sm">
            {isFiltered(filter) ? 'Filtered events' : 'All events'}
            {at === undefined ? '' : ' up to the instant'}
          </Text>
          {formats.map(({ format, label }) => (
            <Anchor key={format} href={exportPath(filter, format, at)} download size="sm">
              {label}
            </Anchor>
          ))}
          <PrintButton variant="default" {...printing} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};

/** Filters of the history. The URL holds them; active ones are shown as chips. */
interface HistoryFiltersProps {
  filter: HistoryFilter;
  change: (change: FilterChange) => void;
}

const categories = nouns.flatMap(({ category, words }) =>
  words ? [{ value: category, label: words.many, one: words.one }] : [],
);

const HistoryFilters = ({ filter, change }: HistoryFiltersProps) => {
  const nameOf = useActorName();
  return (
    <Group gap={8} mb={12} role="search" aria-label="History">
      <SearchField label="Search history" value={filter.text ?? ''} onChange={(text) => change({ text })} />
      <FilterForm
        inForce={filtersIn(filter, nameOf).map(({ words, without }) => ({
          words,
          remove: () => change(without),
        }))}
        clear={() => change(cleared)}
      >
        <MultiSelect
          label="Event type"
          data={[...knownTypes]}
          value={filter.types ?? []}
          onChange={(type) => change({ type })}
          searchable
          {...filterChoice}
        />
        <Select
          label="Subject type"
          data={categories}
          value={filter.subject?.category ?? null}
          onChange={(category) =>
            change({ category: category ?? undefined, id: undefined, parts: undefined })
          }
          {...filterChoice}
        />
        <ChoiceSelect
          label="Who"
          from={actorChoices}
          value={filter.actor ?? ''}
          onChange={(actor) => change({ actor })}
          {...filterChoice}
        />
        <InstantInput label="From" upTo="minutes" value={filter.from} onChange={(from) => change({ from })} />
        <InstantInput label="To" upTo="minutes" value={filter.to} onChange={(to) => change({ to })} />
      </FilterForm>
    </Group>
  );
};

/** Clears every filter except the search text. */
const cleared: FilterChange = {
  type: [],
  category: undefined,
  id: undefined,
  parts: undefined,
  actor: undefined,
  from: undefined,
  to: undefined,
  cause: undefined,
};

const filtersIn = (filter: HistoryFilter, nameOf: (actor: string) => string) => {
  const { types = [], subject, actor, from, to, cause } = filter;
  const chips: { words: string; without: FilterChange }[] = types.map((type) => ({
    words: typeInWords(type),
    without: { type: types.filter((other) => other !== type) },
  }));
  if (subject) {
    const kind = categories.find(({ value }) => value === subject.category);
    chips.push({
      words: `${(subject.id ? kind?.one : kind?.label) ?? subject.category}${subject.parts ? ' with its parts' : ''}`,
      without: { category: undefined, id: undefined, parts: undefined },
    });
  }
  if (actor) chips.push({ words: `By ${nameOf(actor)}`, without: { actor: undefined } });
  if (from) chips.push({ words: `From ${absoluteTime(from)}`, without: { from: undefined } });
  if (to) chips.push({ words: `To ${absoluteTime(to)}`, without: { to: undefined } });
  if (cause) chips.push({ words: 'One cause', without: { cause: undefined } });
  return chips;
};
