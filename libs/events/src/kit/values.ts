/** The one fold of the kit: the values of a record from its events, for deciders and read models alike. Pure. */
import type { Field } from './field';
import { editTypes, eventNames, type PlainNoun } from './noun';

/** The fields, the state, and the id of the parent under the parent's category. */
export type RecordValues = Readonly<Record<string, unknown>>;

const EMPTY: Partial<Record<Field<unknown>['kind'], unknown>> = {
  text: '',
  paragraphs: '',
  code: '',
  flag: false,
  integer: 0,
  reference: null,
  order: [],
};

/** The state of a new record. */
export const firstState = ({ state }: Pick<PlainNoun, 'state'>): RecordValues =>
  Object.fromEntries(Object.entries(state).map(([key, { kind, initial }]) => [key, initial ?? EMPTY[kind]]));

/** The values after an event: the same object if it changes none, as a removal does. */
export const valuesFold = (
  noun: PlainNoun,
): ((
  before: RecordValues | undefined,
  event: { type: string; data: object },
) => RecordValues | undefined) => {
  const { added } = eventNames(noun);
  const edits = new Set(editTypes(noun));
  const byEvent = new Map(Object.values(noun.commands).map((command) => [command.records, command]));
  const initial = firstState(noun);
  const named = (values: RecordValues): RecordValues =>
    noun.nameOf ? { ...values, [noun.named]: noun.nameOf(values) } : values;
  return (before, { type, data }) => {
    if (type === added) return named({ ...initial, ...data });
    if (!before) return undefined;
    if (edits.has(type)) return named({ ...before, ...data });
    const command = byEvent.get(type);
    return command?.sets ? { ...before, ...command.sets(data as RecordValues, before) } : before;
  };
};

/** Everything that a view shows of a record: its fields and its state. */
export const shownOf = ({ fields, state }: Pick<PlainNoun, 'fields' | 'state'>): PlainNoun['fields'] => ({
  ...fields,
  ...state,
});
