/** What `standalone.js` loads, listed by the build beside the file that this module is part of. */
export const standaloneFile = new URL('./standalone.json', import.meta.url);
