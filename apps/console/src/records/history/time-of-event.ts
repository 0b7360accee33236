const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric' });

/** As short as the age allows: no date for today, no year for this year, no time for earlier years. */
export const timeOfEvent = (at: string, now = new Date()): string => {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  if (time.toDateString() === now.toDateString()) return clock.format(time);
  if (time.getFullYear() === now.getFullYear()) return `${day.format(time)} ${clock.format(time)}`;
  return dayOfYear.format(time);
};
