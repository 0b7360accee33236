/** Notifications in words. Pure. */
import { endOf, phaseAt, startOf, type Window } from '@quarterdeck/events';
import { absoluteTime } from '../../ui/RelativeTime';

export const timeOf = (ms: number | undefined): string =>
  ms === undefined ? '' : absoluteTime(new Date(ms).toISOString());

/** Hardly any begins in the middle of a minute, and a row has little room. */
export const shortTimeOf = (ms: number | undefined): string => timeOf(ms).replace(/(:\d\d):00$/, '$1');

/** `from 24 Dec 2026, 18:00 until 1 Jan 2027, 00:00`, in the reader's time zone. */
export const windowInWords = ({ dateStart, dateEnd }: Window): string => {
  const [start, end] = [shortTimeOf(startOf(dateStart)), shortTimeOf(endOf(dateEnd))];
  const words = [start && `from ${start}`, end && `until ${end}`].filter(Boolean).join(' ');
  return words === '' ? 'always' : words;
};

/** @param at milliseconds since 1970 */
export const reasonNotShown = (
  { text, ...window }: Window & { text?: string | undefined },
  at: number,
  language: string,
): string => {
  const phase = phaseAt(window, at);
  if (phase === 'upcoming') return `begins ${timeOf(startOf(window.dateStart))}`;
  if (phase === 'over') return `ended ${timeOf(endOf(window.dateEnd))}`;
  return text === undefined
    ? `has no text in ${language === 'English' ? language : `${language} or English`}`
    : 'is due';
};

/** How the text is rendered: it may be English instead of the chosen language. */
export const shownIn = (
  { language = 'en', cms }: { language?: string | undefined; cms: { key: string } },
  chosen: { code: string; name: string; isRightToLeft?: true },
): { label: string; lang: string; dir: 'ltr' | 'rtl' } => ({
  label: cms.key,
  lang: language,
  dir: language === chosen.code && chosen.isRightToLeft ? 'rtl' : 'ltr',
});
