/** Input schemas of the script calls. The console's forms use the same schemas. */
import { plainSecretIn } from './plain-secrets';
import { boolean, integer, longText, numericId, object, optionalText, text, uuid } from './rules';

export const MAX_SCRIPT_BYTES = 64 * 1024;

/**
 * The program that the first line names: `/usr/bin/env python3` of `#!/usr/bin/env python3`. `undefined` without such a
 * line.
 */
export const programOf = (body: string): string | undefined => /^#!([^\n]*)/.exec(body)?.[1]?.trim();

/**
 * Without line ends and the mark of a byte order that editors for Windows write: a shell would run them as commands. And
 * without what was pasted before the `#!`, which counts only at the very beginning.
 */
const withoutMarks = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/^\s+(?=#!)/, '');

const body = longText(MAX_SCRIPT_BYTES)
  .overwrite(withoutMarks)
  .refine((value) => programOf(value)?.startsWith('/') ?? true, {
    error: 'the first line names no program by its path, such as #!/bin/bash or #!/usr/bin/env python3',
  })
  .refine((value) => new TextEncoder().encode(value).length <= MAX_SCRIPT_BYTES, {
    error: 'at most 64 kB are accepted',
  })
  .superRefine((value, { addIssue }) => {
    const found = plainSecretIn(value);
    if (!found) return;
    const message =
      `line ${found.line} contains what looks like ${found.what}: everybody with access to the history could read it. ` +
      'Keep it in a file on the server and read it there';
    addIssue({ code: 'custom', message });
  });
/** At least a second, at most a day. */
const timeoutSeconds = numericId(86_400);

const editable = { name: text(100), body, changes: boolean, timeoutSeconds };

export const scriptInsert = object(editable);
/** `revision`: the one that the editor saw. A later change by somebody else is a conflict. */
export const scriptUpdate = object({ id: uuid, data: object(editable), revision: integer().optional() });
/** Form schema of `scriptUpdate`. */
export const scriptEdit = object(editable);
/** `name`: typed by the operator as confirmation. */
export const scriptDelete = object({ id: uuid, name: optionalText(100) });
