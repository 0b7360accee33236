/** The palette's entries for plain nouns: their rows by name, and an action to add one. */
import { capital, inWords, plainNouns, type PlainNoun } from '@quarterdeck/events';
import { IconBox, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { plainPath } from '../../../core/paths';
import { useSession } from '../../../core/session';
import { anyCalls } from '../../../records/kit/any-calls';
import { useSomeRows } from '../../../ui/table/use-some-rows';
import type { Entry } from './entries';

/** Only nouns without a parent. The others are found on their parent's page. */
const nouns = plainNouns.filter((noun: PlainNoun) => noun.within === undefined) as readonly PlainNoun[];

const addingOf = (noun: PlainNoun): Entry => ({
  id: `add-${noun.category}`,
  label: `Add ${inWords(noun.category)}`,
  to: `${plainPath(noun)}/add`,
  kind: 'Action',
  icon: IconPlus,
  words: 'new',
});

export const usePlainThings = (query: string): { things: Entry[]; loading: boolean } => {
  const isAdmin = useSession().can('admin');
  const named = nouns.map((noun) => ({
    noun,
    ...useSomeRows(anyCalls(noun).page, query, { skip: noun.audience !== 'member' && !isAdmin }),
  }));
  const things = useMemo(
    () =>
      named.flatMap(({ noun, rows }): Entry[] => [
        ...(isAdmin || noun.changedBy === 'member' ? [addingOf(noun)] : []),
        ...rows.map((view) => ({
          id: view.id,
          label: String(view[noun.named]),
          to: plainPath(noun, view.id),
          kind: capital(inWords(noun.category)),
          icon: IconBox,
        })),
      ]),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `named` is new at each render, but its rows are stable
    [isAdmin, ...named.map(({ rows }) => rows)],
  );
  return { things, loading: named.some(({ loading }) => loading) };
};
