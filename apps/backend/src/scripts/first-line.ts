/** How a saved script is run by the program that its first line names, on a host where sh is what there is. Pure. */
import { createHash } from 'node:crypto';
import { programOf } from '@quarterdeck/events';
import { quote } from '../platform/ssh';

/** Runs as it is, in the shell that has its arguments: with or without such a line. */
const PLAIN = ['/bin/sh', '/usr/bin/sh', '/usr/bin/env sh'];

/**
 * Text for sh that runs `body` as its first line says, `#!/usr/bin/env python3` for example. Like the kernel, it takes
 * everything after the program as one argument. The file is in a folder of its own, readable by its account only.
 */
export const forShell = (body: string): string => {
  const program = programOf(body);
  if (program === undefined || PLAIN.includes(program)) return body;
  const [, path = '', argument] = /^(\S+)(?:\s+(.*))?$/.exec(program) ?? [];
  const end = `end-${createHash('sha256').update(body).digest('hex').slice(0, 32)}`;
  return `folder=$(mktemp -d "\${TMPDIR:-/tmp}/quarterdeck-script-XXXXXX") || exit 73
trap 'rm -rf "$folder"' EXIT
trap 'exit 143' TERM HUP INT
[ -x ${quote(path)} ] || {
  echo ${quote(`This server has no ${path}, which the first line of the script names.`)}
  exit 127
}
cat >"$folder/script" <<'${end}'
${body.endsWith('\n') ? body : `${body}\n`}${end}
[ $? -eq 0 ] || exit 74
${[path, ...(argument === undefined ? [] : [argument])].map(quote).join(' ')} "$folder/script" "$@"
`;
};
