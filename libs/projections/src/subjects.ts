/** Names and parents of all subjects of events. Removed ones are kept, because the history still shows their names. */
import {
  nouns,
  streamName,
  streamParts,
  type AnyNoun,
  type Category,
  type LoggedEvent,
} from '@quarterdeck/events';
import { defineProjection } from './define-projection';

export interface SubjectView {
  workspace: string;
  category: string;
  subjectId: string;
  name: string;
  removed: boolean;
  /** Stream of its parent, if it has one. */
  within?: string;
}

type NameOf = (data: unknown) => string | undefined;

/** How each event type names its subject: by the noun's name field, or by the noun's function for that event. */
const namings = new Map<string, NameOf>(
  nouns.flatMap(({ named, events }) => {
    if (typeof named !== 'string') return Object.entries(named ?? {}) as [string, NameOf][];
    const field: NameOf = (data) => {
      const value = (data as Record<string, unknown>)[named];
      return typeof value === 'string' ? value : undefined;
    };
    return Object.keys(events).map((type): [string, NameOf] => [type, field]);
  }),
);

/** Moves a record to another parent, without its name. */
const movers: ReadonlySet<string> = new Set(nouns.flatMap(({ movedBy }: AnyNoun) => movedBy ?? []));

const nameOf = ({ type, data }: LoggedEvent): string | undefined => namings.get(type)?.(data);

/** The nouns whose records have a parent, by category. */
const nested = new Map(
  (nouns as readonly AnyNoun[]).flatMap(({ category, within, sharesId }) =>
    within === undefined ? [] : [[category, { parent: within as Category, sharesId }]],
  ),
);

export const hasParent = (category: string): boolean => nested.has(category);

/** The stream of the parent, if the event names it. */
const parentOf = ({ stream, data }: LoggedEvent): string | undefined => {
  const { category, id } = streamParts(stream);
  const noun = nested.get(category);
  if (!noun) return undefined;
  const { parent, sharesId } = noun;
  const field = (data as Record<string, unknown>)[parent] as string | { id: string } | undefined;
  const named = typeof field === 'object' ? field.id : field;
  const of = sharesId ? id : named;
  return of === undefined ? undefined : streamName(parent, of);
};

const typesOf = (by: 'removedBy' | 'restoredBy'): ReadonlySet<string> =>
  new Set(nouns.flatMap(({ [by]: type }) => (type === undefined ? [] : [type])));

const gone = typesOf('removedBy');
const back = typesOf('restoredBy');

export const subjects = defineProjection<SubjectView>({
  name: 'subjects',
  version: 16,
  columns: { category: 'text', subjectId: 'text', name: 'text', within: 'text' },
  indexes: [
    // One index for name and category. A search stays fast even if a name occurs often, but not in that category.
    'using gin (name gin_trgm_ops, workspace, category)',
    '(within) where within is not null',
  ],
  rowPer: 'any',
  later: true,
  keys: (event) => (nameOf(event) === undefined && !movers.has(event.type) ? [] : [event.stream]),
  evolve: (view, event) => {
    const name = nameOf(event) ?? view?.name;
    if (name === undefined) return view;
    const { category, id } = streamParts(event.stream);
    const { workspace } = event.meta;
    // A deploy may end after its entry was removed from the deploy log.
    const removed = gone.has(event.type) || (view?.removed === true && !back.has(event.type));
    const within = parentOf(event) ?? view?.within;
    // Most events of a subject repeat what is known.
    if (view?.name === name && view.removed === removed && view.within === within) return view;
    return { workspace, category, subjectId: id, name, removed, ...(within !== undefined && { within }) };
  },
});
