/** The fields of one subject that differ between two instants, each chosen from its events. */
import { Drawer, NativeSelect } from '@mantine/core';
import { instants } from '@quarterdeck/contract';
import { comparePositions } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import { useAnswer } from '../../core/calls';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useActorName } from '../actor';
import { count } from '../../ui/count';
import { DataView } from '../../ui/DataView';
import { absoluteTime } from '../../ui/RelativeTime';
import { ChangesTable } from './ChangesTable';
import { sentenceOf } from './event-words';
import { timeOfEvent } from './time-of-event';
import type { Comparison } from './use-comparison';
import { Note } from '../../ui/Note';
import { Stacked } from '../../ui/Columns';

interface DifferenceDrawerProps {
  subject: { category: string; id: string };
  name: string;
  /** Newest first. */
  events: readonly HistoryView[];
  /** The drawer is closed while undefined. */
  comparison: Comparison | undefined;
  onChange: (comparison: Comparison | undefined) => void;
}

export const DifferenceDrawer = (props: DifferenceDrawerProps) => (
  <Drawer
    opened={props.comparison !== undefined}
    onClose={() => props.onChange(undefined)}
    position="right"
    size="34rem"
    title={`Changes to ${props.name}`}
    closeButtonProps={{ 'aria-label': 'Close difference' }}
  >
    {props.comparison && <Compared {...props} comparison={props.comparison} />}
  </Drawer>
);

const countInWords = (events: number): string =>
  events === 0 ? 'No events between the two.' : `${count(events, 'event')} between the two.`;

const Compared = ({
  subject: { category, id },
  events,
  comparison,
  onChange,
}: DifferenceDrawerProps & { comparison: Comparison }) => {
  const { from, to } = comparison;
  const nameOf = useActorName();
  const now = useAsOf() === undefined ? 'Now' : 'The instant shown';
  const query = useAnswer(instants.difference, { subject: { category, id }, ...comparison });
  const { currentData: found } = query;

  const ofEvents = events.map((event) => ({
    value: event.position,
    label: `${timeOfEvent(event.at)} · ${sentenceOf(event, nameOf)}`,
  }));
  /** An event named in a link may be older than those loaded. */
  const among = (choices: typeof ofEvents, chosen: string | undefined, at: string | undefined) =>
    chosen === undefined || choices.some(({ value }) => value === chosen)
      ? choices
      : [...choices, { value: chosen, label: at ? absoluteTime(at) : `Position ${chosen}` }];
  const later = ofEvents.filter(({ value }) => comparePositions(value, from) > 0);

  return (
    <>
      <Stacked gap={12} mb={16}>
        <NativeSelect
          label="From (after this event)"
          value={from}
          data={among(ofEvents, from, found?.from.at)}
          onChange={({ currentTarget }) => onChange({ ...comparison, from: currentTarget.value })}
        />
        <NativeSelect
          label="To"
          value={to ?? ''}
          data={[{ value: '', label: now }, ...among(later, to, found?.to.at)]}
          onChange={({ currentTarget: { value } }) => onChange({ from, ...(value !== '' && { to: value }) })}
        />
      </Stacked>
      <DataView query={query} what="Difference">
        {({ events: between, changes }) => (
          <>
            <Note m="8px 0 0" role="status">
              {countInWords(between)}
              {between > 0 && changes.length === 0 && ' No differences.'}
            </Note>
            {changes.length > 0 && <ChangesTable changes={changes} compared />}
          </>
        )}
      </DataView>
    </>
  );
};
