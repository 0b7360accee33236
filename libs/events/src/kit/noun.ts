/**
 * A plain noun has fields, and no rules beyond them. Its events, read model, calls, undo, history words and page parts
 * are derived from its declaration. `rich.ts` adds commands and a state of its own. This file must not import the event
 * catalogue, which is built from it.
 */
import type { AnyNoun } from '../define-noun';
import type { Role } from '../people.events';
import { capital, fieldsOfKind, inWords, labelOf, type Field, type FieldsOf, type Secret } from './field';
import type { AnyCommand, Beyond, CommandData } from './rich';

export interface PlainNoun<
  N extends string = string,
  V extends object = Record<string, unknown>,
  Named extends string = string,
  Within extends string = string,
  Many extends string = string,
  B extends Beyond = Beyond,
> {
  /** Category of its streams, and stem of its event names: `optionSet`. */
  readonly category: N;
  /** Path of its calls and pages: `data-model/option-set`. */
  readonly path: string;
  /** Name of its read model, which is the plural of its category. */
  readonly rows: Many;
  /** The minimum role that may read it and receives its events. */
  readonly audience: Role;
  /** The minimum role that may change it. */
  readonly changedBy: Role;
  /** The field used as its name in the history, in messages and in the command palette. */
  readonly named: Named;
  /** Fields whose values are unique within a workspace or a parent, ignoring case. */
  readonly unique: readonly string[];
  /** Fields whose values are unique among the records with the same reference, and the field of that reference. */
  readonly uniqueAt: Readonly<Record<string, string>>;
  /** Category of the parent noun. */
  readonly within: Within | undefined;
  /** The field of the parent that stores the order of its records. Without such a field they are sorted by name. */
  readonly inOrder: string | undefined;
  readonly fields: FieldsOf<V>;
  /** Values that only its commands set. */
  readonly state: Readonly<Record<string, Field<unknown>>>;
  readonly commands: Readonly<Record<string, AnyCommand>>;
  /** A `Revised` event has the values of all fields but the name, instead of only the changed ones. */
  readonly revisesWhole: boolean;
  /** Says what a `Revised` event did. Default: names the changed fields. */
  readonly saysRevised?: string;
  /** The call `insert` takes the fields themselves, instead of `{ data }`. */
  readonly flat: boolean;
  /** Carries types only. It is never set. */
  readonly beyond?: B;
}

interface Declared<V, Named, Within, Many> {
  path: string;
  named: Named;
  unique?: readonly (keyof V & string)[];
  uniqueAt?: { readonly [K in keyof NoInfer<V>]?: keyof NoInfer<V> & string };
  within?: Within;
  inOrder?: string;
  fields: FieldsOf<V>;
  /** Default: the category with an `s`. */
  many?: Many;
  audience?: Role;
  changedBy?: Role;
}

/** `noun('product', { path: 'product', named: 'name', unique: ['name'], fields: { name: text(100) } })` */
export const noun = <
  const N extends string,
  V extends object,
  const Named extends keyof V & string,
  const Within extends string = never,
  const Many extends string = `${N}s`,
>(
  category: N,
  {
    many,
    unique = [],
    uniqueAt = {},
    within,
    inOrder,
    audience = 'admin',
    changedBy = 'admin',
    ...rest
  }: Declared<V, Named, Within, Many>,
): PlainNoun<N, V, Named, Within, Many> => ({
  category,
  rows: many ?? (`${category}s` as Many),
  unique,
  uniqueAt: uniqueAt as Readonly<Record<string, string>>,
  within,
  inOrder,
  audience,
  changedBy,
  state: {},
  commands: {},
  revisesWhole: false,
  flat: false,
  ...rest,
});

/** Field values of one record: `ValuesOf<typeof product>`. */
export type ValuesOf<P> = P extends PlainNoun<string, infer V, string, string, string> ? V : never;

/** Data of each event type. `Revised` contains only the changed fields. A changed name is a `Renamed` event. */
export type NounData<N extends string, V, Named extends keyof V, Within extends string, Whole = false> = {
  [T in `${Capitalize<N>}Added`]: V & { [W in Within]: string };
} & {
  [T in `${Capitalize<N>}Renamed` | `${Capitalize<N>}Removed` | `${Capitalize<N>}Restored`]: Pick<V, Named>;
} & {
  // A noun whose only field is its name has no `Revised` event.
  [T in [Exclude<keyof V, Named>] extends [never] ? never : `${Capitalize<N>}Revised`]: Whole extends true
    ? Omit<V, Named>
    : Partial<Omit<V, Named>>;
} & {
  // Recorded when an administrator views a secret.
  [T in [SecretsIn<V>] extends [never] ? never : `${Capitalize<N>}Revealed`]: { field: string };
};

type SecretsIn<V> = { [K in keyof V]: V[K] extends Secret ? K : never }[keyof V];

export type NounDataOf<P> =
  P extends PlainNoun<infer N, infer V, infer Named, infer Within, string, infer B>
    ? NounData<N, V, Named & keyof V, Within, B['revisesWhole']> & CommandData<P>
    : never;

/** The one place where events of plain nouns get their names. */
export const eventNames = (category: string) => {
  const stem = capital(category);
  return {
    added: `${stem}Added`,
    renamed: `${stem}Renamed`,
    revised: `${stem}Revised`,
    removed: `${stem}Removed`,
    restored: `${stem}Restored`,
    revealed: `${stem}Revealed`,
  } as const;
};

export const isRevised = ({ fields, named }: Pick<PlainNoun, 'fields' | 'named'>): boolean =>
  Object.keys(fields).some((key) => key !== named);

/** Schema version of the `Added` event, which grows when fields are added. */
export const versionOf = ({ fields }: Pick<PlainNoun, 'fields'>): number =>
  Math.max(1, ...Object.values(fields).map(({ since }) => since?.version ?? 1));

export const hasSecrets = ({ fields }: Pick<PlainNoun, 'fields'>): boolean =>
  fieldsOfKind(fields, 'secret').length > 0;

/** The definition that a noun with rules writes by hand in its `*.noun.ts`. */
export const saidBy = (plain: PlainNoun): AnyNoun => {
  const { category, rows, audience, named, within, fields, saysRevised } = plain;
  const is = eventNames(category);
  const commands = Object.values(plain.commands);
  const by = (verb: string) => (data: Readonly<Record<string, unknown>>) => `${verb} ${String(data[named])}`;
  const revised = (data: object): string =>
    saysRevised ??
    `changed ${Object.keys(data)
      .map((key) => labelOf(fields, key).toLowerCase())
      .join(', ')}`;
  return {
    category,
    words: { many: capital(inWords(rows)), one: `One ${inWords(category)}` },
    rows,
    ...(within !== undefined && { within }),
    audience,
    named,
    events: {
      [is.added]: by('added'),
      [is.renamed]: by('renamed to'),
      ...(isRevised(plain) ? { [is.revised]: revised } : {}),
      [is.removed]: by('removed'),
      [is.restored]: by('restored'),
      ...(hasSecrets(plain)
        ? {
            [is.revealed]: ({ field }: { field: string }) =>
              `viewed the ${labelOf(fields, field).toLowerCase()}`,
          }
        : {}),
      ...Object.fromEntries(
        commands.map(({ records, says }) => [
          records,
          (data: Readonly<Record<string, unknown>>) => says(data),
        ]),
      ),
    },
    removedBy: is.removed,
    restoredBy: is.restored,
    undo: [
      is.added,
      is.renamed,
      ...(isRevised(plain) ? [is.revised] : []),
      is.removed,
      ...commands.flatMap(({ records, undo }) => (undo === undefined ? [] : [records])),
    ],
  };
};
