/** The read model of a plain noun: the current values of its fields. */
import {
  capital,
  eventNames,
  plainNounOf,
  shownOf,
  valuesFold,
  versionOf,
  type Field,
  type LoggedEvent,
  type PlainNoun,
  type StateOf,
} from '@quarterdeck/events';
import { shownFields } from '@quarterdeck/events/kit';
import { z } from 'zod';
import {
  defineProjection,
  rowPerStream,
  type ColumnType,
  type ProjectionDefinition,
} from '../define-projection';

/** Properties of every view of a plain noun, besides its fields. */
export interface PlainRecord {
  id: string;
  /** The id once more, in answers: there is software that expects it under this name. */
  uuid?: string;
  workspace: string;
  addedAt: string;
  addedBy: string;
  changedAt: string;
  changedBy: string;
  /** If set, the record is hidden until it is restored. */
  removedAt?: string | undefined;
  revision: number;
  position: string;
}

export type PlainView<V, Within extends string> = PlainRecord & NamedIn<V> & { [W in Within]: string };

/** `ViewOf<typeof product>` */
export type ViewOf<P> =
  P extends PlainNoun<string, infer V, string, infer Within, string>
    ? PlainView<V, Within> & StateOf<P>
    : never;

/** References include the name of their target, unless the target was removed. */
type NamedIn<V> = {
  [K in keyof V]: unknown extends V[K]
    ? V[K]
    : { id: string } | null extends V[K]
      ? { id: string; name?: string } | null
      : V[K];
};

type AnyView = PlainRecord & Record<string, unknown>;

const parentColumn = ({ within }: PlainNoun): readonly string[] => (within === undefined ? [] : [within]);

/** The parent as the specification names it, and what lists and details contain of the records within. */
const answered = ({ parts, parentAs }: PlainNoun) => ({
  ...(parentAs !== undefined && {
    [parentAs]: z.strictObject({ id: z.string(), uuid: z.string(), name: z.string() }).optional(),
  }),
  ...Object.fromEntries(
    Object.entries(parts).map(([key, category]) => [key, z.array(partSchemaOf(category)).optional()]),
  ),
});

const partSchemaOf = (category: string) => {
  const part = plainNounOf(category);
  if (!part) throw new Error(`${category} is no noun of the kit`);
  const fields = shownFields({ fields: shownOf(part) });
  return z.strictObject({ id: z.string(), uuid: z.string(), ...fields });
};

export const viewSchemaOf = (noun: PlainNoun) =>
  z
    .strictObject({
      id: z.string(),
      uuid: z.string().optional(),
      workspace: z.string(),
      ...Object.fromEntries(parentColumn(noun).map((parent) => [parent, z.string()])),
      ...shownFields({ fields: shownOf(noun) }),
      ...answered(noun),
      addedAt: z.string(),
      addedBy: z.string(),
      changedAt: z.string(),
      changedBy: z.string(),
      removedAt: z.string().optional(),
      revision: z.int(),
      position: z.string(),
    })
    .meta({ id: capital(noun.category) });

const columnOf = ({ kind, boxed }: Field<unknown>): ColumnType => (boxed ? 'jsonb' : columns[kind]);

const columns: Record<Field<unknown>['kind'], ColumnType> = {
  text: 'text',
  paragraphs: 'text',
  code: 'text',
  choice: 'text',
  integer: 'integer',
  flag: 'boolean',
  enumeration: 'integer',
  reference: 'jsonb',
  order: 'jsonb',
  secret: 'jsonb',
  group: 'jsonb',
  json: 'jsonb',
};

/** `optionSets` as `option_sets`, the table's name. */
export const tableOf = ({ rows }: Pick<PlainNoun, 'rows'>): string =>
  rows.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const foldOf = (noun: PlainNoun): ProjectionDefinition<AnyView> => {
  const { category, state, named } = noun;
  const is = eventNames(noun);
  const after = valuesFold(noun);
  const parent = parentColumn(noun);
  const lifted = Object.entries(shownOf(noun)).map(([key, field]) => [key, columnOf(field)] as const);
  return defineProjection<AnyView>({
    name: tableOf(noun),
    // A state field adds a column.
    version: versionOf(noun) + Object.keys(state).length,
    columns: {
      ...Object.fromEntries(parent.map((key) => [key, 'text' as const])),
      ...Object.fromEntries(lifted),
      removedAt: 'timestamptz',
    },
    hiddenBy: 'removedAt',
    indexes: [`(workspace, ${[...parent.map((key) => `"${key}"`), `lower("${named}")`].join(', ')})`],
    ...rowPerStream(category),
    evolve: (view, event: LoggedEvent, id) => {
      const { meta, revision, position } = event;
      const place = { changedAt: meta.at, changedBy: meta.actor, revision, position };
      // The names are made from the noun, so the compiler cannot tell these events from the others.
      const { type }: { type: string } = event;
      if (type === is.added) {
        const added = { addedAt: meta.at, addedBy: meta.actor };
        return { id, workspace: meta.workspace, ...after(undefined, event), ...added, ...place };
      }
      if (!view) return undefined;
      if (type === is.removed) return { ...view, removedAt: meta.at, ...place };
      if (type === is.restored) return { ...view, removedAt: undefined, ...place };
      const values = after(view, event);
      return values === view ? view : { ...view, ...values, ...place };
    },
  });
};
