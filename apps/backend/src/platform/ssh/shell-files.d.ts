/** A script of a `.sh` file with all that it sources, read by `scripts/shell-files.mjs`. */
declare module '*.sh' {
  const file: {
    readonly text: string;
    /** The variables that it takes: `: "${host?}" "${port?}"`. */
    readonly takes: readonly string[];
  };
  export default file;
}
