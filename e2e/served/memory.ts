/** What a process on this machine has in its memory and its environment. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const PART = 1024 * 1024;

/** Memory that it may write, and what it was started with: programs and libraries are the same for everybody. */
const writable = (pid: number): [from: number, to: number][] =>
  readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, from, to] = /^([\da-f]+)-([\da-f]+) rw/.exec(line) ?? [];
      return from === undefined || to === undefined ? [] : [[parseInt(from, 16), parseInt(to, 16)] as const];
    })
    .map(([from, to]) => [from, to]);

/** @returns the names of those that it has */
export const knownTo = (pid: number, wanted: Readonly<Record<string, Buffer>>): string[] => {
  const found = new Set<string>();
  const look = (bytes: Buffer): void => {
    for (const [name, one] of Object.entries(wanted))
      if (!found.has(name) && bytes.includes(one)) found.add(name);
  };
  look(readFileSync(`/proc/${pid}/environ`));
  look(readFileSync(`/proc/${pid}/cmdline`));
  const overlap = Math.max(...Object.values(wanted).map(({ length }) => length));
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const part = Buffer.alloc(PART + overlap);
  try {
    for (const [from, to] of writable(pid))
      for (let at = from; at < to; at += PART) {
        if (found.size === Object.keys(wanted).length) return [...found];
        try {
          const read = readSync(memory, part, 0, Math.min(part.length, to - at), at);
          look(part.subarray(0, read));
        } catch {
          // The process has released this part of its memory in the meantime.
          break;
        }
      }
  } finally {
    closeSync(memory);
  }
  return [...found];
};

/** A secret of bytes in each form in which a program may keep it. */
export const formsOf = (secret: Buffer): Record<string, Buffer> => ({
  bytes: secret,
  hex: Buffer.from(secret.toString('hex')),
  'upper hex': Buffer.from(secret.toString('hex').toUpperCase()),
  base64: Buffer.from(secret.toString('base64').replace(/=+$/, '')),
  base64url: Buffer.from(secret.toString('base64url')),
  // Texts beyond Latin-1 have two bytes a letter.
  'wide base64': Buffer.from(secret.toString('base64').replace(/=+$/, ''), 'utf16le'),
  'wide hex': Buffer.from(secret.toString('hex'), 'utf16le'),
});
