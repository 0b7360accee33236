/** The zone in which times are shown and entered: `Europe/Berlin`. */
export const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
