/**
 * A rich noun is a plain noun with commands of its own, each with its event, and with a state that only they set. It
 * keeps everything that a plain noun has. From the one table of commands follow the command class and its handler, the
 * event with its schema and words, the fold, the call, the action on the page, and undo.
 */
import type { Role } from '../people.events';
import { capital, type FieldsOf } from './field';
import type { PlainNoun, ValuesOf } from './noun';

type Values = Readonly<Record<string, unknown>>;

export interface NounCommand<E extends string = string, I = Values, R = Values, S = object> {
  /** The event that records it. */
  readonly records: E;
  /** One line for the API description. */
  readonly summary?: string;
  /** The minimum role. Default: that of the noun's other changes. */
  readonly access?: Role;
  /** What it is called on the page. Default: its key in words. */
  readonly label?: string;
  /** Its input, which is also the data of its event. */
  readonly takes: FieldsOf<I>;
  /** The event in words, without actor and subject: "pinned". */
  says(data: I): string;
  /** The reason why a record as it is now refuses it; undefined if it may be carried out. Pages ask as well. */
  refuses?(data: I, now: R): string | undefined;
  /**
   * The state after its event. If the record has that state already, there is nothing to record, so the command can be
   * repeated. Without this, each time is recorded.
   */
  sets?(data: I, now: R): S;
  /** `false`: no call and no action on the page. The back end carries it out as a part of another call. */
  readonly hasCall?: false;
  /** The command that undoes it. Its input is taken from the values that the record had before. */
  readonly undo?: string;
}

/** A command without its types, for code that handles all commands alike. */
export interface AnyCommand extends NounCommand {}

/** What a rich noun has beyond a plain one, for the compiler. */
export interface Beyond<S = unknown, C = unknown, Whole = unknown, E = unknown> {
  state: S;
  commands: C;
  revisesWhole: Whole;
  recorded: E;
}

export type StateOf<P> = P extends { readonly beyond?: Beyond<infer S> } ? S : unknown;

type RecordedOf<P> = P extends { readonly beyond?: Beyond<unknown, unknown, unknown, infer E> } ? E : unknown;

/** The commands by name. */
export type CommandsOf<P> = P extends { readonly beyond?: Beyond<unknown, infer C> } ? C : unknown;

/** Nothing, for a command without input. */
export type InputOf<C> = C extends { takes: FieldsOf<infer I> }
  ? unknown extends I
    ? Record<never, never>
    : I
  : never;

/** Data of the events of a noun's commands. */
export type CommandData<P> = DataIn<CommandsOf<P>>;
type DataIn<C> = {
  [K in keyof C as C[K] extends { records: infer E extends string } ? E : never]: InputOf<C[K]>;
};

/** Checks a command against the record's values, and infers its input. */
type Commanding<N extends string, V, S> = <const E extends `${Capitalize<N>}${string}`, I extends object>(
  records: E,
  rest: Omit<NounCommand<E, I, V & S, Partial<S>>, 'records'>,
) => NounCommand<E, I, V & S, Partial<S>>;

interface Richer<N extends string, V, S, C, Whole> {
  /** Values that only commands set. A new record has their `initial` value, or an empty one. */
  state?: FieldsOf<S>;
  commands?: (command: Commanding<N, V, S>) => C;
  revisesWhole?: Whole;
  flat?: boolean;
}

type Richly<P, B extends Beyond> =
  P extends PlainNoun<infer N, infer V, infer Named, infer Within, infer Many>
    ? PlainNoun<N, V, Named, Within, Many, B>
    : never;

/**
 * ```ts
 * export const note = rich(noun('note', { … }), {
 *   state: { pinned: flag() },
 *   commands: (command) => ({
 *     pin: command('NotePinned', { takes: {}, says: () => 'pinned', sets: () => ({ pinned: true }), undo: 'unpin' }),
 *     …
 *   }),
 * });
 * ```
 *
 * @throws on a mistake that the compiler does not see
 */
export const rich = <
  P extends PlainNoun,
  S extends object = Record<never, never>,
  C extends object = Record<never, never>,
  const Whole extends boolean = false,
>(
  noun: P,
  { state, commands, revisesWhole, ...rest }: Richer<P['category'], ValuesOf<P> & StateOf<P>, S, C, Whole>,
): Richly<P, Beyond<StateOf<P> & S, C, Whole, RecordedOf<P>>> => {
  const table = (commands?.((records, more) => ({ records, ...more })) ?? {}) as Record<string, AnyCommand>;
  const richer = {
    ...noun,
    ...rest,
    state: { ...noun.state, ...state } as PlainNoun['state'],
    commands: table,
    revisesWhole: revisesWhole ?? noun.revisesWhole,
  };
  const mistake = mistakeOf(richer);
  if (mistake !== undefined) throw new Error(`${noun.category}: ${mistake}`);
  return richer as unknown as Richly<P, Beyond<StateOf<P> & S, C, Whole, RecordedOf<P>>>;
};

/** Only fields of a record are stored in the vault, looked up and put in order. */
const ofRecords: ReadonlySet<string> = new Set(['secret', 'reference', 'order']);

const mistakeOf = ({ fields, state, commands }: Pick<PlainNoun, 'fields' | 'state' | 'commands'>) => {
  for (const [name, { takes, undo }] of Object.entries(commands)) {
    const lost = Object.entries({ ...state, ...takes }).find(([, { kind }]) => ofRecords.has(kind));
    if (lost) return `${lost[0]} is a ${lost[1].kind}, which only fields can be`;
    if (undo === undefined) continue;
    const back = commands[undo];
    if (!back) return `${name} is undone by ${undo}, which is no command`;
    const unknown = Object.keys(back.takes).find((key) => !(key in fields) && !(key in state));
    if (unknown !== undefined)
      return `${name} is undone by ${undo}, whose ${unknown} is no value of a record, so nothing says what it was`;
  }
  return undefined;
};

/** How a command is called on pages: `pinHostKey` as `Pin host key`. */
export const commandLabel = (name: string, { label }: Pick<AnyCommand, 'label'>): string =>
  label ?? capital(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
