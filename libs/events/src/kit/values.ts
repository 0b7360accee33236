/** The one fold of the kit: the values of a record from its events, for deciders and read models alike. Pure. */
import type { Field } from './field';
import { eventNames, type PlainNoun } from './noun';

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
  const is = eventNames(noun.category);
  const byEvent = new Map(Object.values(noun.commands).map((command) => [command.records, command]));
  const initial = firstState(noun);
  return (before, { type, data }) => {
    if (type === is.added) return { ...initial, ...data };
    if (!before) return undefined;
    if (type === is.renamed || type === is.revised) return { ...before, ...data };
    const command = byEvent.get(type);
    return command?.sets ? { ...before, ...command.sets(data as RecordValues, before) } : before;
  };
};

/** Everything that a view shows of a record: its fields and its state. */
export const shownOf = ({ fields, state }: Pick<PlainNoun, 'fields' | 'state'>): PlainNoun['fields'] => ({
  ...fields,
  ...state,
});
