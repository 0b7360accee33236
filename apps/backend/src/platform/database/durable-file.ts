/**
 * Files that must survive a power loss. When a call has returned, the file is complete on disk under its name. Until
 * then, the old file still exists. Folder entries reach the disk separately, so folders are synced too.
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
  // Windows cannot open folders, and keeps their entries safe by itself.
  if (process.platform !== 'win32') sync(folder);
};

/** Writes content to disk that only its owner can read. */
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

/** Replaces the file's text. */
export const replaceFile = (file: string, text: string): void =>
  throughDraft(file, text, (draft) => fs.renameSync(draft, file));

/** Keeps an existing file: of two processes that start together, one creates it and the other reads it. */
export const makeFile = (file: string, text: string): void =>
  throughDraft(file, text, (draft) => {
    try {
      fs.linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });

/** Replaces any file of that name. */
export const moveFile = (from: string, to: string): void => {
  fs.renameSync(from, to);
  syncFolder(path.dirname(to));
};

/** Syncs everything in a folder that was made under a temporary name, before it gets its final name. */
export const syncTree = (folder: string): void => {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(name);
    else if (entry.isFile()) sync(name);
  }
  syncFolder(folder);
};
