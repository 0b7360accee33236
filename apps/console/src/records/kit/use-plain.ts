/** Names of a noun of the kit in words, and how its records are deleted. */
import { capital, inWords, type Category, type PlainNoun } from '@quarterdeck/events';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { confirmTyped } from '../../ui/confirm';
import { toast } from '../../ui/toast';
import { undoOf } from '../history';
import { anyCalls } from './any-calls';
import { nameIn, type Values } from './plain-fields';

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
}

/** Deletes after the name is typed, offers to undo it, and reports a refusal on the page. */
export const useRemoval = <V extends Values & { id: string }>({
  noun,
  base,
  view,
  question = 'Are you sure you would like to delete?',
  consequences,
  uses,
}: Removal<V>) => {
  const navigate = useNavigate();
  const [removeOne] = useChange(anyCalls(noun).delete);
  const [failure, setFailure] = useState<{ what: string; error: ApiError }>();
  const { id } = view;
  const name = nameIn(noun, view);
  const remove = async (): Promise<void> => {
    setFailure(undefined);
    try {
      const effect = breaking((await uses?.(view)) ?? []) + consequences;
      const { confirmed, typed } = await confirmTyped({
        title: `Delete ${name}?`,
        body: `${question} ${effect}`,
        confirmLabel: `Delete ${wordsOf(noun).one}`,
        danger: true,
        typeToConfirm: name,
      });
      if (!confirmed) return;
      await removeOne({ id, [noun.named]: typed } as { id: string }).unwrap();
      toast.success(`${name} was deleted.`, undoOf({ category: categoryOf(noun), id }));
      await navigate(base);
    } catch (thrown) {
      setFailure({ what: `${name} could not be deleted`, error: toApiError(thrown) });
    }
  };
  return { remove, failure, dismiss: () => setFailure(undefined) };
};
