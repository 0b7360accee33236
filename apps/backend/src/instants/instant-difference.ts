/** The changes of one thing between two instants, field by field. */
import { comparePositions, streamName, type LoggedEvent } from '@quarterdeck/events';
import type { instantDifference as differenceInput } from '@quarterdeck/events/inputs';
import type { InstantDifference } from '@quarterdeck/projections';
import { readStreams } from '@quarterdeck/projections/runner';
import type { z } from 'zod';
import { changesBetween, folded } from '../history';
import { invalidField, notFound } from '../platform/errors';
import { askedInstant, type Instant, type Instants } from '../platform/past';
import { audienceOf } from '../platform/live';
import { mayActAs } from '../platform/sessions';
import type { EventStore } from '../platform/tokens';
import type { InstantReader } from './instants.queries';

export type DifferenceAsked = z.infer<typeof differenceInput>;

const isAfter = (one: Instant, other: Instant): boolean =>
  comparePositions(one.position, other.position) > 0 ||
  (one.position === other.position && Date.parse(one.at) > Date.parse(other.at));

const placeOf = ({ position, at }: Instant) => ({ position, at });

/** The two instants to compare. The later one defaults to now, or to the instant that the call asks about. */
const endsOf = async (
  instants: Instants,
  { workspace }: InstantReader,
  asked: DifferenceAsked,
): Promise<[from: Instant, to: Instant]> => {
  const now = askedInstant.getStore() ?? (await instants.newest(workspace));
  const from = await instants.resolve(asked.from, workspace, 'from');
  if (asked.to === undefined) {
    // Compared by position: any time after the last event counts as now.
    if (comparePositions(from.position, now.position) > 0)
      throw invalidField('from', 'this is later than the instant being viewed');
    return [from, now];
  }
  const to = await instants.resolve(asked.to, workspace, 'to');
  if (isAfter(from, to)) throw invalidField('to', 'this is before the beginning');
  if (askedInstant.getStore() && isAfter(to, now))
    throw invalidField('to', 'this is later than the instant being viewed');
  return [from, to];
};

/**
 * @throws DomainError `invalid` that names `from` or `to`; `notFound` for a thing that did not exist at the later
 * instant, belongs to another workspace, or is not visible to the reader
 */
export const instantDifference = async (
  store: EventStore,
  instants: Instants,
  reader: InstantReader,
  asked: DifferenceAsked,
): Promise<InstantDifference> => {
  const { category, id } = asked.subject;
  const [from, to] = await endsOf(instants, reader, asked);
  const recorded = (await readStreams(store, [streamName(category, id)], to.position)) as LoggedEvent[];
  const later = recorded.filter(
    ({ type, meta }) => meta.workspace === reader.workspace && mayActAs(reader.role, audienceOf(type)),
  );
  if (later.length === 0) throw notFound(category);
  const earlier = later.filter(({ position }) => comparePositions(position, from.position) <= 0);
  return {
    from: placeOf(from),
    to: placeOf(to),
    events: later.length - earlier.length,
    changes: changesBetween(folded, earlier, later),
  };
};
