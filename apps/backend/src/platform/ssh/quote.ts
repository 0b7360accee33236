/**
 * The one place where text becomes part of a shell command. Single quotes take everything literally but themselves, in
 * every POSIX shell. NUL cannot be part of an argument at all, so it is refused rather than dropped.
 */
export const quote = (argument: string): string => {
  if (argument.includes('\0')) throw new RangeError('A shell argument cannot hold a NUL character.');
  return `'${argument.replaceAll("'", `'\\''`)}'`;
};
