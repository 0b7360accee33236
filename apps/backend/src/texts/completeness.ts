/** How complete the texts of a product are, by language: now, and by day. */
import type { Answer, texts as calls } from '@quarterdeck/contract';
import { textStates, type TextState } from '@quarterdeck/events/inputs';
import { idOfLanguage, languageCodes, languages } from '@quarterdeck/texts';
import { present } from '../platform/as-of';
import { changesByDay, type Queries, statesOf } from './texts.queries';

const stateNames = Object.keys(textStates) as TextState[];
const nameOfLetter = new Map(stateNames.map((name) => [textStates[name] as string, name]));

export const completenessOf = async (
  db: Queries,
  workspace: string,
  product: string,
  isCms: boolean,
): Promise<Answer<typeof calls.completeness>> => {
  const groups = await statesOf(db, workspace, product, isCms);
  const counts = languages.map(({ code, name }) => ({
    language: { id: idOfLanguage(code), code, name },
    missing: 0,
    translated: 0,
    reviewed: 0,
    outdated: 0,
  }));
  for (const { states, count } of groups)
    counts.forEach((of, at) => {
      const state = nameOfLetter.get(states[at] ?? '');
      if (state) of[state] += count;
    });
  return { keys: groups.reduce((sum, { count }) => sum + count, 0), languages: counts };
};

const DAYS = 90;
const DAY_MS = 86_400_000;

export const completenessByDay = async (
  db: Queries,
  workspace: string,
  product: string,
  isCms: boolean,
  days = DAYS,
): Promise<Answer<typeof calls.completenessByDay>> => {
  const changes = await changesByDay(db, workspace, product, isCms);
  const until = present().getTime();
  const counts = new Map<string, number>();
  let next = 0;
  return {
    days: Array.from({ length: days }, (_, at) => {
      const day = new Date(until - (days - 1 - at) * DAY_MS).toISOString().slice(0, 10);
      for (let change = changes[next]; change && change.day <= day; change = changes[(next += 1)])
        counts.set(change.what, (counts.get(change.what) ?? 0) + change.more);
      const texts = languageCodes.map((code) => counts.get(code) ?? 0);
      return { day, keys: counts.get('key') ?? 0, texts };
    }),
  };
};
