/** Built beside the file that this module is part of. */
export const threadFile = new URL('./thread.js', import.meta.url);
