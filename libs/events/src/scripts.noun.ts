/**
 * The saved scripts of a workspace. Adding a script and each revision create a new version, counted from 1. A run
 * records the version that it ran.
 */
import { code, flag, integer, text } from './kit/field';
import { noun } from './kit/noun';
import { rich } from './kit/rich';
import { plainSecretIn } from './plain-secrets';

const MAX_BYTES = 64 * 1024;

/**
 * The program that the first line names: `/usr/bin/env python3` of `#!/usr/bin/env python3`. `undefined` without such a
 * line.
 */
export const programOf = (body: string): string | undefined => /^#!([^\n]*)/.exec(body)?.[1]?.trim();

const refusedBody = (body: string): string | undefined => {
  if (!(programOf(body)?.startsWith('/') ?? true))
    return 'the first line names no program by its path, such as #!/bin/bash or #!/usr/bin/env python3';
  if (new TextEncoder().encode(body).length > MAX_BYTES) return 'at most 64 kB are accepted';
  const found = plainSecretIn(body);
  return (
    found &&
    `line ${found.line} contains what looks like ${found.what}: everybody with access to the history could read it. ` +
      'Keep it in a file on the server and read it there'
  );
};

const plainScript = noun('script', {
  path: 'script',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100, { help: 'A short description, unique in this workspace.', placeholder: 'Free space' }),
    body: code(MAX_BYTES, {
      label: 'Script',
      help: 'Run by the program in its first line, such as #!/bin/bash, or else by sh, as the server’s account. Do not include secrets: everybody who can read the history can read the script.',
      placeholder: 'df -h',
      refuses: refusedBody,
    }),
    /** At most one run of such a script works on a server at a time. */
    changes: flag({
      label: 'Makes changes on the server',
      help: 'Only one run that makes changes works on a server at a time. A short read-only script runs again if its connection is lost.',
      initial: true,
    }),
    timeoutSeconds: integer(86_400, {
      label: 'Time limit in seconds',
      help: 'A run that takes longer is stopped, with all processes it started.',
      min: 1,
      initial: 60,
      half: true,
    }),
  },
});

export const script = rich(plainScript, {
  revisesWhole: true,
  flat: true,
});
