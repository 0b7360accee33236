/**
 * Files that must survive a power loss. Once a call has returned, the file is complete on the disk under its name;
 * before that, what was there is still there. A folder's entries reach the disk apart from the files they name.
 */
import fs from 'node:fs';
import path from 'node:path';

const sync = (name: string): void => {
  const handle = fs.openSync(name, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
};

export const syncFolder = (folder: string): void => {
  // Windows opens no folders, and keeps their entries safe by itself.
  if (process.platform !== 'win32') sync(folder);
};

/** Content that only its owner can read, on the disk. */
const writeSynced = (file: string, text: string): void => {
  const handle = fs.openSync(file, 'w', 0o600);
  try {
    fs.fchmodSync(handle, 0o600);
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
};

const draftOf = (file: string): string => `${file}.${process.pid}.draft`;

const throughDraft = (file: string, text: string, place: (draft: string) => void): void => {
  const draft = draftOf(file);
  try {
    writeSynced(draft, text);
    place(draft);
  } finally {
    fs.rmSync(draft, { force: true });
  }
  syncFolder(path.dirname(file));
};

/** The file has this text from now on, whatever it had before. */
export const replaceFile = (file: string, text: string): void =>
  throughDraft(file, text, (draft) => fs.renameSync(draft, file));

/** Keeps a file that is there already: of two processes that start together, one makes it and the other reads it. */
export const makeFile = (file: string, text: string): void =>
  throughDraft(file, text, (draft) => {
    try {
      fs.linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });

/** Takes the place of what has that name. */
export const moveFile = (from: string, to: string): void => {
  fs.renameSync(from, to);
  syncFolder(path.dirname(to));
};

/** Everything in a folder that was made aside, before it gets its name. */
export const syncTree = (folder: string): void => {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(name);
    else if (entry.isFile()) sync(name);
  }
  syncFolder(folder);
};
