/** Built beside the file that this module is part of. */
export const apiProcessFile = new URL('./api-process.js', import.meta.url);
