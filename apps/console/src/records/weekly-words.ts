/** Times that come back every week, in words. Pure. */
import { weekdays, type WeeklyTimes } from '@quarterdeck/events';

const all = new Intl.ListFormat('en');

/** `every day from 22:00 to 07:00 (Europe/Berlin)` */
export const weeklyInWords = ({ days, from, until, zone }: WeeklyTimes): string => {
  const chosen = weekdays.filter((day) => days.includes(day));
  const isEveryDay = chosen.length === 0 || chosen.length === weekdays.length;
  const on = isEveryDay ? 'every day' : `on ${all.format(chosen)}`;
  return `${on} from ${from} to ${until} (${zone === '' ? 'UTC' : zone})`;
};
