/**
 * A plain noun has fields, and no rules beyond them. Its events, read model, calls, undo, history words and page parts
 * are derived from its declaration. `rich.ts` adds commands and a state of its own. This file must not import the event
 * catalogue, which is built from it.
 */
import type { AnyNoun } from '../define-noun';
import type { Role } from '../people.events';
import {
  capital,
  fieldsOfKind,
  inWords,
  labelOf,
  text,
  type Field,
  type FieldsOf,
  type Secret,
} from './field';
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
  /** The value used as its name in the history, in messages and in the command palette. */
  readonly named: Named;
  /** Makes the name from the fields, for a noun without a field that is its name. */
  nameOf?(fields: Readonly<Record<string, unknown>>): string;
  /** Fields whose values are unique within a workspace or a parent, ignoring case. */
  readonly unique: readonly string[];
  /**
   * Fields whose values are unique among the records with the same reference, and the field of that reference. With
   * several fields, which may be values or the parent as well, an empty one is what records have in common too.
   */
  readonly uniqueAt: Readonly<Record<string, UniqueAt>>;
  /** Category of the parent noun. */
  readonly within: Within | undefined;
  /** The field of the parent that stores the order of its records. Without such a field they are sorted by name. */
  readonly inOrder: string | undefined;
  readonly fields: FieldsOf<V>;
  /** What its list and details also contain, by the name in them: the category of records within it. */
  readonly parts: Readonly<Record<string, string>>;
  /** Answers also have the parent under this name, as `{ id, uuid, name }`, and additions may send it as `{ id }`. */
  readonly parentAs: string | undefined;
  /** Values that only its commands set. */
  readonly state: Readonly<Record<string, Field<unknown>>>;
  readonly commands: Readonly<Record<string, AnyCommand>>;
  /** A `Revised` event has the values of all fields but the name, instead of only the changed ones. */
  readonly revisesWhole: boolean;
  /** The recorded names of its events, where they are not made from its category. */
  readonly recorded: Recorded;
  /** What is said about its events by type, instead of the words of the kit. */
  readonly says: Readonly<Record<string, SaysOfNoun>>;
  /** The call `insert` takes the fields themselves, instead of `{ data }`. */
  readonly flat: boolean;
  /** Carries types only. It is never set. */
  readonly beyond?: B;
}

export type UniqueAt<Key extends string = string> = Key | readonly Key[];

type SaysOfNoun<V = never> =
  | ((fields: V) => string)
  | { says(fields: V): string; stale?: readonly string[]; audience?: Role };

/**
 * Names under which events are recorded. `revised`: the events of changed fields, each with the fields that it records,
 * whichever of them has changed. Together they have every field but the name.
 */
export interface Recorded<Key extends string = string> {
  readonly added?: string;
  readonly renamed?: string;
  readonly removed?: string;
  readonly restored?: string;
  readonly revealed?: string;
  readonly revised?: Readonly<Record<string, readonly Key[]>>;
}

/** A field, or a function that makes the name from the fields. */
type Naming<V> = (keyof V & string) | ((fields: V) => string);
/** A name that is made from the fields is the value `name`. */
type NameKey<G> = G extends string ? G : 'name';

interface Declared<V, G, Within, Many, E> {
  path: string;
  named: G;
  unique?: readonly (keyof V & string)[];
  uniqueAt?: {
    readonly [K in keyof NoInfer<V>]?: UniqueAt<(keyof NoInfer<V> & string) | (NoInfer<Within> & string)>;
  };
  within?: Within;
  inOrder?: string;
  fields: FieldsOf<V>;
  parts?: Readonly<Record<string, string>>;
  parentAs?: string;
  /** Default: the category with an `s`. */
  many?: Many;
  audience?: Role;
  changedBy?: Role;
  events?: E;
  says?: Readonly<Record<string, SaysOfNoun<NoInfer<V>>>>;
}

/** `noun('product', { path: 'product', named: 'name', unique: ['name'], fields: { name: text(100) } })` */
export const noun = <
  const N extends string,
  V extends object,
  const G extends Naming<V>,
  const Within extends string = never,
  const Many extends string = `${N}s`,
  const E extends Recorded<keyof V & string> = Record<never, never>,
>(
  category: N,
  {
    named,
    many,
    unique = [],
    uniqueAt = {},
    within,
    inOrder,
    parts = {},
    parentAs,
    audience = 'admin',
    changedBy = 'admin',
    events = {} as E,
    says = {},
    ...rest
  }: Declared<V, G, Within, Many, E>,
): PlainNoun<N, V, NameKey<G>, Within, Many, Beyond<NamedState<G>, unknown, unknown, E>> => {
  // The name is made from all fields, so each event that changes it has to have all of them.
  const naming =
    typeof named === 'function'
      ? { named: 'name', nameOf: named, state: { name: text() }, revisesWhole: true }
      : { named, state: {}, revisesWhole: false };
  const plain = {
    category,
    rows: many ?? (`${category}s` as Many),
    unique,
    uniqueAt: uniqueAt as Readonly<Record<string, UniqueAt>>,
    within,
    inOrder,
    parts,
    parentAs,
    audience,
    changedBy,
    commands: {},
    flat: false,
    recorded: events,
    says,
    ...naming,
    ...rest,
  } as unknown as PlainNoun<N, V, NameKey<G>, Within, Many, Beyond<NamedState<G>, unknown, unknown, E>>;
  const mistake = mistakeIn(plain);
  if (mistake !== undefined) throw new Error(`${category}: ${mistake}`);
  return plain;
};

type NamedState<G> = G extends string ? unknown : { name: string };

type Declaration = Pick<PlainNoun, 'fields' | 'named' | 'nameOf' | 'recorded' | 'audience' | 'changedBy'>;

/** What every view has besides the fields. */
const ownOfViews: ReadonlySet<string> = new Set([
  'id',
  'workspace',
  'addedAt',
  'addedBy',
  'changedAt',
  'changedBy',
  'removedAt',
  'revision',
  'position',
]);

/** What is wrong with a declaration that the compiler accepts. */
const mistakeIn = ({
  fields,
  named,
  nameOf,
  recorded,
  audience,
  changedBy,
}: Declaration): string | undefined => {
  if (changedBy === 'member' && audience !== 'member') return 'members cannot change what they may not read';
  const taken = Object.keys(fields).find((key) => ownOfViews.has(key));
  if (taken !== undefined) return `${taken} is a value that every view has already`;
  if (!recorded.revised) return undefined;
  const groups = Object.values(recorded.revised);
  if (nameOf && groups.length > 1)
    return 'its name is made from all fields, so one event has to record them all';
  const isIn = (key: string): number => groups.filter((keys) => keys.includes(key)).length;
  const lost = Object.keys(fields).find((key) => key !== named && isIn(key) !== 1);
  return lost && `${lost} has to be in one of the revised events, not in ${isIn(lost)}`;
};

/** Field values of one record: `ValuesOf<typeof product>`. */
export type ValuesOf<P> = P extends PlainNoun<string, infer V, string, string, string> ? V : never;

/** The recorded name of an event, or the one made from the category. */
type Name<E, Of extends string, Default extends string> = E extends {
  readonly [O in Of]: infer T extends string;
}
  ? T
  : Default;
/** `name` is no field if it is made from the fields. */
type NameIn<V, Named extends string> = { [K in Named]: K extends keyof V ? V[K] : string };

/** Data of each event type. `Revised` contains only the changed fields. A changed name is a `Renamed` event. */
export type NounData<
  N extends string,
  V,
  Named extends string,
  Within extends string,
  Whole = false,
  E = unknown,
> = {
  [T in Name<E, 'added', `${Capitalize<N>}Added`>]: V & { [W in Within]: string };
} & {
  // A name that is made from the fields changes with them.
  [T in Named extends keyof V ? Name<E, 'renamed', `${Capitalize<N>}Renamed`> : never]: NameIn<V, Named>;
} & {
  [
    T in Name<E, 'removed', `${Capitalize<N>}Removed`> | Name<E, 'restored', `${Capitalize<N>}Restored`>
  ]: NameIn<V, Named>;
} & RevisedData<N, V, Named, Whole, E> & {
    // Recorded when an administrator views a secret.
    [T in [SecretsIn<V>] extends [never] ? never : Name<E, 'revealed', `${Capitalize<N>}Revealed`>]: {
      field: string;
    };
  };

type RevisedData<N extends string, V, Named extends string, Whole, E> = E extends {
  readonly revised: infer R extends Readonly<Record<string, readonly string[]>>;
}
  ? { [T in keyof R]: Pick<V, R[T][number] & keyof V> }
  : {
      // A noun whose only field is its name has no `Revised` event.
      [T in [Exclude<keyof V, Named>] extends [never] ? never : `${Capitalize<N>}Revised`]: Whole extends true
        ? Omit<V, Named>
        : Partial<Omit<V, Named>>;
    };

type SecretsIn<V> = { [K in keyof V]: V[K] extends Secret | null ? K : never }[keyof V];

export type NounDataOf<P> =
  P extends PlainNoun<infer N, infer V, infer Named, infer Within, string, infer B>
    ? NounData<N, V, Named, Within, B['revisesWhole'], B['recorded']> & CommandData<P>
    : never;

/** The event types of a noun that can be undone, without those of its commands. */
export type UndoTypesOf<P> =
  P extends PlainNoun<infer N, infer V, infer Named, string, string, infer B>
    ?
        | Name<B['recorded'], 'added', `${Capitalize<N>}Added`>
        | Name<B['recorded'], 'renamed', `${Capitalize<N>}Renamed`>
        | Name<B['recorded'], 'removed', `${Capitalize<N>}Removed`>
        | (keyof RevisedData<N, V, Named, B['revisesWhole'], B['recorded']> & string)
    : never;

/** The one place where events of nouns of the kit get their names. */
export const eventNames = ({ category, recorded }: Pick<PlainNoun, 'category' | 'recorded'>) => {
  const stem = capital(category);
  return {
    added: recorded.added ?? `${stem}Added`,
    renamed: recorded.renamed ?? `${stem}Renamed`,
    removed: recorded.removed ?? `${stem}Removed`,
    restored: recorded.restored ?? `${stem}Restored`,
    revealed: recorded.revealed ?? `${stem}Revealed`,
  };
};

/** An event of changed fields. `whole`: it has all of its fields, instead of only the changed ones. */
export interface Revision {
  readonly type: string;
  readonly keys: readonly string[];
  readonly whole: boolean;
}

/** None if the only field is the name. */
export const revisionsOf = (
  noun: Pick<PlainNoun, 'category' | 'fields' | 'named' | 'recorded' | 'revisesWhole'>,
): readonly Revision[] => {
  const { category, fields, named, recorded, revisesWhole } = noun;
  if (recorded.revised)
    return Object.entries(recorded.revised).map(([type, keys]) => ({ type, keys, whole: true }));
  const keys = Object.keys(fields).filter((key) => key !== named);
  return keys.length === 0 ? [] : [{ type: `${capital(category)}Revised`, keys, whole: revisesWhole }];
};

/** The events that change fields. A name that is made from the fields changes with them. */
export const editTypes = (noun: PlainNoun): readonly string[] => [
  ...(noun.nameOf ? [] : [eventNames(noun).renamed]),
  ...revisionsOf(noun).map(({ type }) => type),
];

export const hasSecrets = ({ fields }: Pick<PlainNoun, 'fields'>): boolean =>
  fieldsOfKind(fields, 'secret').length > 0;

/** Whether it has secrets that an administrator may be shown. */
export const hasShownSecrets = ({ fields }: Pick<PlainNoun, 'fields'>): boolean =>
  fieldsOfKind(fields, 'secret').some(([, { sealed }]) => !sealed);

/** The definition that a noun with rules writes by hand in its `*.noun.ts`. */
export const saidBy = (plain: PlainNoun): AnyNoun => {
  const { category, rows, audience, named, nameOf, within, fields, says } = plain;
  const is = eventNames(plain);
  const revisions = revisionsOf(plain);
  const commands = Object.values(plain.commands);
  type Data = Readonly<Record<string, unknown>>;
  const nameIn = (data: Data) => String(data[named]);
  const nameMade = nameOf ?? nameIn;
  const revised = (whole: boolean) => (data: object) =>
    whole
      ? `changed the ${inWords(category)}`
      : `changed ${Object.keys(data)
          .map((key) => labelOf(fields, key).toLowerCase())
          .join(', ')}`;
  return {
    category,
    words: { many: capital(inWords(rows)), one: `One ${inWords(category)}` },
    rows,
    ...(within !== undefined && { within }),
    audience,
    named: nameOf
      ? {
          ...Object.fromEntries(
            [is.added, ...revisions.map(({ type }) => type)].map((type) => [type, nameOf]),
          ),
          [is.removed]: nameIn,
          [is.restored]: nameIn,
        }
      : named,
    events: {
      [is.added]: (data: Data) => `added ${nameMade(data)}`,
      ...(nameOf ? {} : { [is.renamed]: (data: Data) => `renamed to ${nameIn(data)}` }),
      ...Object.fromEntries(revisions.map(({ type, whole }) => [type, revised(whole)])),
      [is.removed]: (data: Data) => `removed ${nameIn(data)}`,
      [is.restored]: (data: Data) => `restored ${nameIn(data)}`,
      ...(hasShownSecrets(plain)
        ? {
            [is.revealed]: ({ field }: { field: string }) =>
              `viewed the ${labelOf(fields, field).toLowerCase()}`,
          }
        : {}),
      ...Object.fromEntries(
        commands.map(({ records, says: saying }) => [records, (data: Data) => saying(data)]),
      ),
      ...says,
    },
    removedBy: is.removed,
    restoredBy: is.restored,
    undo: [
      is.added,
      ...editTypes(plain),
      is.removed,
      ...commands.flatMap(({ records, undo }) => (undo === undefined ? [] : [records])),
    ],
  };
};
