/** Every event, one row each: who, what, when, on what, caused by what. */
import {
  placement,
  streamParts,
  type EventType,
  type LoggedEvent,
  type Placement,
} from '@quarterdeck/events';
import { z } from 'zod';
import { defineProjection } from './define-projection';

export const historyView = z
  .strictObject({
    position: z.string(),
    /** Of the event. */
    id: z.string(),
    type: z.string(),
    stream: z.string(),
    revision: z.number(),
    at: z.string(),
    recordedAt: z.string(),
    actor: z.string(),
    workspace: z.string(),
    /** The name is joined when read: an event alone does not know how its subject is called. */
    subject: z.strictObject({
      category: z.string(),
      id: z.string(),
      name: z.string().optional(),
    }),
    /** `subject` again, where a query can find it. */
    category: z.string(),
    subjectId: z.string(),
    /** The event in words, without actor and subject. */
    says: z.string(),
    correlationId: z.string(),
    causationId: z.string(),
    /** The least role that may see it. */
    audience: z.string(),
    data: z.unknown(),
  })
  .meta({ id: 'History' });
export interface HistoryView extends z.infer<typeof historyView> {}

/** An event type that this build does not know: written by a newer one. It is shown by its type, to admins. */
const unknown: Placement<EventType> = { stale: [], audience: 'admin', says: () => '' };

const placed = (event: LoggedEvent): { audience: string; says: string } => {
  const place: Placement<never> = Object.hasOwn(placement, event.type) ? placement[event.type] : unknown;
  return { audience: place.audience, says: place.says(event.data as never) || event.type };
};

export const history = defineProjection<HistoryView>({
  name: 'history',
  // Counted up when events read otherwise (`placement.ts`, `run-words.ts`): the words are kept, to be searched.
  version: 6,
  columns: {
    type: 'text',
    at: 'timestamptz',
    actor: 'text',
    category: 'text',
    subjectId: 'text',
    says: 'text',
    correlationId: 'text',
    audience: 'text',
  },
  // In the order in which pages are read, whatever they are asked for; ids need no workspace to be found.
  indexes: [
    '(workspace, position desc)',
    '(workspace, type, position desc)',
    '(workspace, category, position desc)',
    '(workspace, actor, position desc)',
    '(workspace, actor, category, position desc)',
    // Two of these that seldom meet, or never, with whatever the third is.
    '(workspace, category, type, actor, position desc)',
    // With the kind, so that what has gone on since an instant is told by the index alone.
    '(workspace, "subjectId", position desc) include (category)',
    '("correlationId", position)',
    '(workspace, at, position)',
    // Text together with any of the others, also where much has the one and much the other, but little or nothing both.
    'using gin (says gin_trgm_ops, workspace, type, category, actor)',
  ],
  related: ['category, type', 'type, actor'],
  appendOnly: true,
  keys: (event) => [event.position],
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
      ...placed(event),
      correlationId: meta.correlationId,
      causationId: meta.causationId,
      data: event.data,
    };
  },
});
