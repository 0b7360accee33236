/** What an event changed in its subject, computed with the folds of the read models. Pure. */
import { plainNouns, streamParts, type LoggedEvent, type PlainNoun } from '@quarterdeck/events';
import {
  differences,
  fieldsInWords,
  projections as all,
  tableOf,
  worded,
  type AnyProjection,
  type Difference,
} from '@quarterdeck/projections';
import { viewAt } from '@quarterdeck/projections/runner';
import { withNames, type Names } from './names';

/** Projections that describe a subject. The others are about its events and its name. */
export const folded: readonly AnyProjection[] = all.filter(
  ({ name }) => name !== 'history' && name !== 'subjects',
);

const nouns: readonly PlainNoun[] = plainNouns;

const inWords = (noun: PlainNoun | undefined, values: object | undefined, names: Names): object | undefined =>
  values && (withNames(noun ? worded(noun, values) : values, names) as object);

/** The differences of a subject between two lists of events, in the words of the event's detail page. */
export const changesBetween = (
  projections: readonly AnyProjection[],
  earlier: readonly LoggedEvent[],
  later: readonly LoggedEvent[],
  names: Names,
): Difference[] =>
  projections.flatMap((projection) => {
    const [before, after] = [viewAt(projection, earlier), viewAt(projection, later)];
    const noun = nouns.find((one) => tableOf(one) === projection.name);
    return [...new Set([...after.keys(), ...before.keys()])].flatMap((key) =>
      differences(inWords(noun, before.get(key), names), inWords(noun, after.get(key), names)),
    );
  });

/** Whether the subject exists after these events: whether any read model shows it. */
export const existsAfter = (projections: readonly AnyProjection[], events: readonly LoggedEvent[]): boolean =>
  projections.some((projection) => viewAt(projection, events).size > 0);

/** Events whose data already contains the values before and after. A fold keeps only one of them. */
const TOLD: Partial<Record<LoggedEvent['type'], [before: string, after?: string]>> = {
  ServerHostKeyRefused: ['expected', 'got'],
  ServerHostKeyReturned: ['refused'],
  ServerHostKeyAccepted: ['previous'],
};

const told = (data: Record<string, unknown>, [before, after]: [string, string?]): Difference[] => {
  const { [before]: was, ...rest } = data;
  return differences(was as object | undefined, (after === undefined ? rest : data[after]) as object);
};

const recorded = ({ stream, data }: LoggedEvent, names: Names): Difference[] => {
  const noun = nouns.find(({ category }) => category === streamParts(stream).category);
  return [...fieldsInWords(inWords(noun, data, names))].map(([field, after]) => ({ field, after }));
};

/**
 * @param earlier events of the subject before this one, oldest first
 * @returns undefined if the event says only that it happened
 */
export const changesOf = (
  projections: readonly AnyProjection[],
  earlier: readonly LoggedEvent[],
  event: LoggedEvent,
  names: Names,
): Difference[] => {
  const keys = TOLD[event.type];
  if (keys) return told(event.data, keys);
  const changed = changesBetween(projections, earlier, [...earlier, event], names);
  return changed.length > 0 ? changed : recorded(event, names);
};
