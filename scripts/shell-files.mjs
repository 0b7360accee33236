/**
 * Shell in files of its own: `import look from './look.sh'` is that script, ready to be sent to a server. The build and the
 * tests read it with this module, so no file is looked for at run time.
 *
 * A line `. servers/shell/prelude.sh` stands for that file of the back end's source, each file once. A line
 * `: "${host?}" "${port?}"` says which variables the script takes. Both are plain sh, so editors and shellcheck understand
 * them.
 */
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../apps/backend/src');
const SOURCE = /^\. ([\w/-]+\.sh)$/;
const TAKES = /^:(?: "\$\{\w+\?\}")+$/;

/** What a file says about itself at its top is for us, and so is what it says to shellcheck. */
const withoutNotes = (text) => text.replace(/^(?:#.*\n|\n)+/, '').replaceAll(/^ *# shellcheck .*\n/gm, '');

/** @returns the files that a script sources itself */
export const sourcesOf = (file) =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => SOURCE.exec(line)?.[1] ?? [])
    .map((other) => path.join(root, other));

/**
 * @param {string} file
 * @returns {{ text: string, takes: string[], files: string[] }} the whole script, the names of the variables that it takes,
 *   and the files that it is made of
 */
export function readShell(file) {
  const files = [];
  const read = (one) => {
    if (files.includes(one)) return [];
    files.push(one);
    const lines = withoutNotes(fs.readFileSync(one, 'utf8')).replace(/\n$/, '').split('\n');
    return lines.flatMap((line) => {
      const other = SOURCE.exec(line)?.[1];
      return other ? read(path.join(root, other)) : [line];
    });
  };
  const lines = read(path.resolve(file));
  const takes = lines
    .filter((line) => TAKES.test(line))
    .flatMap((line) => [...line.matchAll(/\w+/g)].map(([name]) => name));
  return { text: `${lines.join('\n')}\n`, takes: [...new Set(takes)], files };
}

const moduleOf = ({ text, takes }) => JSON.stringify({ text, takes });

/** For rolldown. */
export const shellFiles = {
  name: 'shell-files',
  load: {
    filter: { id: /\.sh$/ },
    handler(id) {
      const shell = readShell(id);
      for (const file of shell.files) this.addWatchFile(file);
      return { code: `export default ${moduleOf(shell)};`, moduleType: 'js' };
    },
  },
};

/** For jest, in CommonJS. */
export const commonJsOf = (file) =>
  `module.exports = { __esModule: true, default: ${moduleOf(readShell(file))} };`;
