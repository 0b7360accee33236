/** Names of a noun of the kit in words, and how its records are deleted. */
import type { Change } from '@quarterdeck/contract';
import { capital, commandLabel, inWords, type Category, type PlainNoun } from '@quarterdeck/events';
import { send, useChange } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { useSession } from '../../core/session';
import type { Action } from '../../ui/DetailPage';
import { sameValue } from '../../ui/same-value';
import { useAction, type Act } from '../../ui/use-action';
import { undoOf } from '../history';
import { anyCalls } from './any-calls';
import type { Commanded } from './parts';
import { nameIn, type Values } from './record-fields';

export { anyCalls };

export const categoryOf = (noun: PlainNoun): Category => noun.category as Category;

/** Singular and plural, in the middle and at the start of a sentence: `option set`, `Option sets`. */
export const wordsOf = ({ category, rows }: PlainNoun) => ({
  one: inWords(category),
  One: capital(inWords(category)),
  many: inWords(rows),
  Many: capital(inWords(rows)),
});

const SHOWN = 5;

/** "Order.customer and Bill.payer would point to nothing." */
const breaking = (names: readonly string[]): string => {
  if (names.length === 0) return '';
  const rest = names.length > SHOWN ? [`${names.length - SHOWN} more`] : [];
  const words = new Intl.ListFormat('en').format([...names.slice(0, SHOWN), ...rest]);
  return `${words} would point to nothing. `;
};

interface Removal<V> {
  noun: PlainNoun;
  /** Path of the list. */
  base: string;
  view: V;
  /** Question before deletion, if the specification prescribes its wording. */
  question?: string | undefined;
  /** Says what is deleted along with the record, and what is kept. */
  consequences: string;
  /** Names of the records whose references would lose their target if the record were deleted. */
  uses?: ((view: V) => Promise<readonly string[]>) | undefined;
  /** Deletes it. Default: the call of the kit. */
  sendRemoval?: ((id: string, typed: string) => Promise<unknown>) | undefined;
}

/** Deletes after the name is typed, offers to undo it, and reports a refusal on the page. */
export const useRemoval = <V extends Values & { id: string }>({
  noun,
  base,
  view,
  question = 'Are you sure you would like to delete?',
  consequences,
  uses,
  sendRemoval,
}: Removal<V>) => {
  const [removeOne] = useChange(anyCalls(noun).delete);
  const sends =
    sendRemoval ?? ((id, typed) => removeOne({ id, [noun.named]: typed } as { id: string }).unwrap());
  const { act, failure, dismiss } = useAction();
  const { id } = view;
  const name = nameIn(noun, view);
  const remove = () =>
    act({
      ask: async () => ({
        title: `Delete ${name}?`,
        body: `${question} ${breaking((await uses?.(view)) ?? [])}${consequences}`,
        confirmLabel: `Delete ${wordsOf(noun).one}`,
        danger: true,
        typeToConfirm: name,
      }),
      send: (typed) => sends(id, typed),
      done: `${name} was deleted.`,
      offer: undoOf({ category: categoryOf(noun), id }),
      failed: `${name} could not be deleted`,
      to: base,
    });
  return { remove, act, failure, dismiss };
};

/**
 * The commands as actions of the page. One that would change nothing is left out.
 *
 * @param ask opens the form of a command that needs input
 */
export const useCommands = (
  noun: PlainNoun,
  view: Commanded,
  act: Act,
  ask: (name: string) => void,
): readonly Action[] => {
  const dispatch = useAppDispatch();
  const { can } = useSession();
  const perform = (name: string, label: string, done: string) =>
    act({
      send: () => {
        const call = anyCalls(noun)[name] as Change<unknown>;
        return dispatch(send(call, { id: view.id, revision: view.revision })).unwrap();
      },
      done: `${nameIn(noun, view)}: ${done}.`,
      failed: `${label} failed`,
    });
  return Object.entries(noun.commands).flatMap(([name, command]): Action[] => {
    const { takes, access = noun.changedBy, hasCall, says, sets, refuses } = command;
    if (hasCall === false || !can(access)) return [];
    const label = commandLabel(name, command);
    // Whether it is refused, or is so already, depends on the input.
    if (Object.keys(takes).length > 0) return [{ label, onClick: () => ask(name) }];
    const isSo = sets && Object.entries(sets({}, view)).every(([key, value]) => sameValue(view[key], value));
    if (isSo) return [];
    return [
      { label, disabledReason: refuses?.({}, view), onClick: () => void perform(name, label, says({})) },
    ];
  });
};
