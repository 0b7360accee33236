/** Quotes text as a single word for a shell command, so that nothing in it is executed. Pure. */
export const shellWord = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
