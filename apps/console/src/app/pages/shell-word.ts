/** As one word of a command that is pasted into a shell: nothing in it is carried out. Pure. */
export const shellWord = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
