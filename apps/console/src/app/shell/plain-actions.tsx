/** What the command palette offers of plain nouns: their things by name, and adding one. */
import type { SpotlightActionData } from '@mantine/spotlight';
import { capital, inWords, plainNouns, type PlainNoun } from '@quarterdeck/events';
import { IconBox, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { ask } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { plainPath } from '../../core/paths';
import { useSession } from '../../core/session';
import { anyCalls } from '../../records/kit';

/** What is within something else is found on the page of that. */
const nouns = plainNouns.filter((noun: PlainNoun) => noun.within === undefined) as readonly PlainNoun[];

interface Thing {
  noun: PlainNoun;
  id: string;
  name: string;
}

const useThings = (opened: boolean): readonly Thing[] => {
  const dispatch = useAppDispatch();
  const { can } = useSession();
  const [things, setThings] = useState<readonly Thing[]>([]);
  const isAdmin = can('admin');
  useEffect(() => {
    if (!opened) return undefined;
    const questions = nouns
      .filter(({ audience }) => audience === 'member' || isAdmin)
      .map((noun) => ({ noun, question: dispatch(ask(anyCalls(noun).list)) }));
    let wanted = true;
    void Promise.all(
      questions.map(async ({ noun, question }) => {
        const { data = [] } = await question;
        return data.map((view): Thing => ({ noun, id: view.id, name: String(view[noun.named]) }));
      }),
    ).then((found) => wanted && setThings(found.flat()));
    return () => {
      wanted = false;
      for (const { question } of questions) question.unsubscribe();
    };
  }, [opened, isAdmin, dispatch]);
  return things;
};

/** @param go leads to an address and remembers what was chosen */
export const usePlainActions = (
  opened: boolean,
  go: (id: string, to: string) => () => void,
): { actions: SpotlightActionData[]; named: SpotlightActionData[] } => {
  const { can } = useSession();
  const things = useThings(opened);
  const actions = can('admin')
    ? nouns.map((noun) => ({
        id: `add-${noun.category}`,
        label: `Add ${inWords(noun.category)}`,
        description: 'Action',
        leftSection: <IconPlus size={16} />,
        onClick: go(`add-${noun.category}`, `${plainPath(noun)}/add`),
      }))
    : [];
  const named = things.map(({ noun, id, name }) => ({
    id,
    label: name,
    description: capital(inWords(noun.category)),
    leftSection: <IconBox size={16} />,
    onClick: go(id, plainPath(noun, id)),
  }));
  return { actions, named };
};
