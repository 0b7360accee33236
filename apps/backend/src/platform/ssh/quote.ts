/**
 * The only place where text becomes part of a shell command. In every POSIX shell, everything between single quotes is
 * literal except the quote itself. NUL cannot be part of an argument at all, so it is refused rather than dropped.
 */
export const quote = (argument: string): string => {
  if (argument.includes('\0')) throw new RangeError('A shell argument cannot hold a NUL character.');
  return `'${argument.replaceAll("'", `'\\''`)}'`;
};
