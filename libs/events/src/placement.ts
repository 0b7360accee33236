/**
 * For each event type: the read models that it makes stale, its audience, and its words. Derived from the nouns. An
 * event without words in any noun does not compile, and neither do words for an unknown event.
 */
import type { EventData, EventType } from './catalogue';
import type { AnyNoun } from './define-noun';
import { nouns, type ReadModel, type SaidType, type StrayReadModel } from './nouns';
import type { Role } from './people.events';

export interface Placement<T extends EventType> {
  stale: readonly Exclude<ReadModel, 'history'>[];
  /** The minimum role that receives the event. */
  audience: Role;
  /** The event in words, without actor and subject: "registered as web-1". */
  says: (data: EventData<T>) => string;
}

type Nothing<T> = [T] extends [never] ? true : T;
export const complete: {
  eventsWithoutWords: Nothing<Exclude<EventType, SaidType>>;
  wordsForUnknownEvents: Nothing<Exclude<SaidType, EventType>>;
  unknownReadModels: Nothing<StrayReadModel>;
} = { eventsWithoutWords: true, wordsForUnknownEvents: true, unknownReadModels: true };

const placed = ({ audience, rows, stale = rows ? [rows] : [], events }: AnyNoun) =>
  Object.entries(events).map(([type, said]) => [
    type,
    { stale, audience, ...(typeof said === 'function' ? { says: said } : said) },
  ]);

export const placement = Object.fromEntries(nouns.flatMap(placed)) as {
  readonly [T in EventType]: Placement<T>;
};
