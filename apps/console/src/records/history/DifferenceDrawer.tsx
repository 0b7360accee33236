/** What differs in one subject and its parts between two instants, each chosen from their events. */
import { Drawer, NativeSelect } from '@mantine/core';
import { instants } from '@quarterdeck/contract';
import { capital, comparePositions, inWords, nouns } from '@quarterdeck/events';
import type { ChangedPart, HistoryView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useActorName } from '../actor';
import { count } from '../../ui/count';
import { DataView } from '../../ui/DataView';
import { absoluteTime } from '../../ui/RelativeTime';
import { ChangesTable } from './ChangesTable';
import { placeWords, sentenceOf, subjectPath } from './event-words';
import { timeOfEvent } from './time-of-event';
import type { Comparison } from './use-comparison';
import { Section } from '../../ui/Card';
import { Dim, Note } from '../../ui/Note';
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
        {({ events: between, changes, parts, furtherParts }) => (
          <>
            <Note m="8px 0 0" role="status">
              {parts.length === 0 ? countInWords(between) : `${count(parts.length, 'part')} changed.`}
              {between > 0 && changes.length + parts.length === 0 && ' No differences.'}
            </Note>
            {changes.length > 0 && <ChangesTable changes={changes} compared />}
            {parts.map((one) => (
              <Part key={`${one.subject.category} ${one.subject.id}`} part={one} />
            ))}
            {furtherParts > 0 && (
              <Note mt={16}>
                {count(furtherParts, 'part')} more changed, longer ago. Choose a later instant to begin with.
              </Note>
            )}
          </>
        )}
      </DataView>
    </>
  );
};

const Part = ({ part }: { part: ChangedPart }) => {
  const { subject, is, changes } = part;
  const path = subjectPath(part);
  const place = placeWords(part);
  const parent = subject.within?.at(-1)?.id;
  // What is empty, or says of which records it is a part, is nothing new.
  const known = new Set(['', ...(subject.within ?? []).map(({ id }) => id)]);
  const shown = is === 'added' ? changes.filter(({ after = '' }) => !known.has(after)) : changes;
  const name = subject.name ?? subject.id;
  // The variables of a service have its id.
  const isOfParent = parent === subject.id;
  const many = nouns.find(({ category }) => category === subject.category)?.words?.many;
  const kind = inWords(subject.category);
  // The name of a version begins with it.
  const isInName = name.replace('-', '').startsWith(kind);
  const what = isOfParent && many ? `${many.toLowerCase()} of` : isInName ? '' : kind;
  return (
    <Section
      mt={20}
      title={
        <>
          {capital(is)} {what} {path ? <Link to={path}>{name}</Link> : name}
          {place && <Dim> in {place}</Dim>}
        </>
      }
    >
      {is !== 'removed' && <ChangesTable changes={shown} compared={is === 'changed'} />}
    </Section>
  );
};
