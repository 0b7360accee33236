const short = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Where there is no room for the year and the seconds. */
export const shortTime = (instant: string): string => short.format(new Date(instant));
