/** What the palette offers of plain nouns: their things by name, and adding one. */
import { capital, inWords, plainNouns, type PlainNoun } from '@quarterdeck/events';
import { IconBox, IconPlus } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { ask } from '../../../core/calls';
import { useAppDispatch } from '../../../core/hooks';
import { plainPath } from '../../../core/paths';
import { useSession } from '../../../core/session';
import { anyCalls } from '../../../records/kit/any-calls';
import type { Entry } from './entries';

/** What is within something else is found on the page of that. */
const nouns = plainNouns.filter((noun: PlainNoun) => noun.within === undefined) as readonly PlainNoun[];

export const usePlainThings = (): { things: Entry[]; loading: boolean } => {
  const dispatch = useAppDispatch();
  const isAdmin = useSession().can('admin');
  const [named, setNamed] = useState<Entry[]>();
  useEffect(() => {
    const questions = nouns
      .filter(({ audience }) => audience === 'member' || isAdmin)
      .map((noun) => ({ noun, question: dispatch(ask(anyCalls(noun).list)) }));
    let wanted = true;
    void Promise.all(
      questions.map(async ({ noun, question }) => {
        const { data = [] } = await question;
        return data.map((view): Entry => ({
          ...{ id: view.id, label: String(view[noun.named]), to: plainPath(noun, view.id) },
          ...{ kind: capital(inWords(noun.category)), icon: IconBox },
        }));
      }),
    ).then((found) => wanted && setNamed(found.flat()));
    return () => {
      wanted = false;
      for (const { question } of questions) question.unsubscribe();
    };
  }, [isAdmin, dispatch]);
  const things = useMemo(
    () => [
      ...(isAdmin
        ? nouns.map((noun): Entry => ({
            ...{ id: `add-${noun.category}`, label: `Add ${inWords(noun.category)}` },
            ...{ to: `${plainPath(noun)}/add`, kind: 'Action', icon: IconPlus, words: 'new' },
          }))
        : []),
      ...(named ?? []),
    ],
    [isAdmin, named],
  );
  return { things, loading: named === undefined };
};
