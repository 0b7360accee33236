/** Every event, one row each: actor, action, time, subject and cause. */
import {
  placement,
  streamParts,
  type EventType,
  type LoggedEvent,
  type Placement,
} from '@quarterdeck/events';
import { z } from 'zod';
import { defineProjection } from './define-projection';
import { hashed, timeOf } from './hashed';

const named = { category: z.string(), id: z.string(), name: z.string().optional() };

export const subjectInPlace = z.strictObject({
  ...named,
  within: z.array(z.strictObject(named)).optional(),
});

export const historyView = z
  .strictObject({
    position: z.string(),
    /** Id of the event. */
    id: z.string(),
    type: z.string(),
    stream: z.string(),
    revision: z.number(),
    at: z.string(),
    recordedAt: z.string(),
    actor: z.string(),
    workspace: z.string(),
    /**
     * The names are joined when the row is read: an event alone does not contain them. `within` has the records that
     * the subject is a part of, outermost first.
     */
    subject: subjectInPlace,
    /** `subject` again, as columns for queries. */
    category: z.string(),
    subjectId: z.string(),
    /** The event in words, without actor and subject. */
    says: z.string(),
    /** What it undid, joined when the row is read. */
    undoes: z.strictObject({ type: z.string(), says: z.string(), actor: z.string() }).optional(),
    correlationId: z.string(),
    causationId: z.string(),
    /** The least role that may see the event. */
    audience: z.string(),
    data: z.unknown(),
  })
  .meta({ id: 'History' });
export interface HistoryView extends z.infer<typeof historyView> {}

/** Used for event types of a newer build. Only admins see such events, by their type name. */
const unknown: Placement<EventType> = { stale: [], audience: 'admin', says: () => '' };

const placeOf = (type: EventType): Placement<never> =>
  Object.hasOwn(placement, type) ? placement[type] : unknown;

/** What filters ask for. An index of hashes serves queries that are made with `same` or `sameAsAny`. */
const [ofWorkspace, ofType, ofActor, ofSubject] = ['workspace', 'type', 'actor', '"subjectId"'].map(hashed);

/**
 * The events in the index of times: one of 64. They are decided nearly in log order, so a time range begins and ends close
 * to one of them. A log may leave out positions, so their hash decides.
 */
export const timeSample = '(hashint8(position) & 63) = 0';

/** An instant as events write it. */
const instant = (column: string): string =>
  `to_jsonb(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** An event in words, without actor and subject: "renamed to web-2". */
export const wordsOfEvent = ({ type, data }: Pick<LoggedEvent, 'type' | 'data'>): string =>
  placeOf(type).says(data as never) || type;

export const history = defineProjection<HistoryView>({
  name: 'history',
  // Increase it when the wording of events changes (`placement.ts`, `run-words.ts`): the sentences are stored for
  // search.
  version: 15,
  columns: {
    workspace: 'text',
    type: 'text',
    at: 'timestamptz',
    recordedAt: 'timestamptz',
    revision: 'integer',
    actor: 'text',
    category: 'text',
    subjectId: 'text',
    says: 'text',
    correlationId: 'text',
    causationId: 'text',
    audience: 'text',
  },
  once: `(${ofWorkspace}, position)`,
  // All indexes are in page order, one for each kind of filter. The one above is the order of the page itself.
  indexes: [
    `(${ofWorkspace}, ${ofType}, position)`,
    // The kinds themselves, which a text search lists.
    `(${ofWorkspace}, category, position)`,
    `(${ofWorkspace}, ${ofActor}, position)`,
    // For a kind and an actor that are both frequent, but never occur together.
    `(${ofWorkspace}, ${ofActor}, category, position)`,
    // For combinations of two of these filters that rarely match together, with any value of the third.
    `(${ofWorkspace}, category, ${ofType}, ${ofActor}, position)`,
    `(${ofWorkspace}, ${ofSubject}, position)`,
    `(${timeOf('"correlationId"')}, position)`,
    `(at, position) where ${timeSample}`,
    // For text combined with any other filter, even if each matches many rows but both together few or none.
    `using gin (says gin_trgm_ops, ${ofWorkspace}, ${ofType}, category, ${ofActor})`,
  ],
  related: [`category, (${ofType})`, `(${ofType}), (${ofActor})`],
  appendOnly: true,
  later: true,
  derived: {
    id: 'to_jsonb(id)',
    position: 'to_jsonb(position::text)',
    at: instant('at'),
    recordedAt: instant('"recordedAt"'),
    revision: 'to_jsonb(revision)',
    stream: `to_jsonb(category || '-' || "subjectId")`,
    subject: `jsonb_build_object('category', category, 'id', "subjectId")`,
  },
  keys: ({ meta }) => [meta.id],
  evolve: (_view, event) => {
    const { category, id } = streamParts(event.stream);
    const { meta } = event;
    return {
      position: event.position,
      id: meta.id,
      type: event.type,
      stream: event.stream,
      revision: event.revision,
      at: meta.at,
      recordedAt: event.recordedAt,
      actor: meta.actor,
      workspace: meta.workspace,
      subject: { category, id },
      category,
      subjectId: id,
      audience: placeOf(event.type).audience,
      says: wordsOfEvent(event),
      correlationId: meta.correlationId,
      causationId: meta.causationId,
      data: event.data,
    };
  },
});
