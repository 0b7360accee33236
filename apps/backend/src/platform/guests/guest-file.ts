/** Built beside the file that this module is part of. */
export const guestFile = new URL('./guest.js', import.meta.url);
