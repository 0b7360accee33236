/** The columns of the heat map. Pure. */
import type { Answer, texts } from '@quarterdeck/contract';
import { languages, type Language } from '@quarterdeck/texts/languages';
import type { Instant, Share } from './HeatMap';

type Day = Answer<typeof texts.completenessByDay>['days'][number];

const MAX_COLUMNS = 13;

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** As many days as there is room for, evenly apart, the newest and the oldest among them. */
export const instantsOf = (days: readonly Day[]): Instant[] => {
  const columns = Math.min(MAX_COLUMNS, days.length);
  return Array.from({ length: columns }, (_, column) => {
    const at = columns === 1 ? 0 : Math.round((column * (days.length - 1)) / (columns - 1));
    return instantOf(days[at] as Day, at === days.length - 1);
  });
};

const instantOf = ({ day, keys, texts: counts }: Day, isNewest: boolean): Instant => {
  const date = new Date(day);
  return {
    id: day,
    label: short.format(date),
    title: long.format(date),
    ...(!isNewest && { end: `${day}T23:59:59.999Z` }),
    shares: Object.fromEntries(
      languages.map(({ code }, at): [Language, Share] => [code, { done: counts[at] ?? 0, of: keys }]),
    ),
  };
};
