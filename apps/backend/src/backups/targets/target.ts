/** A place for archives. Its errors have a message of one line. */
import type { Readable } from 'node:stream';
import type { Archive } from '../archive/read';
import type { FolderContent } from '../folder';

export interface Attempt {
  signal: AbortSignal;
  /** Called whenever the target has answered: the next answer is due soon. */
  alive: () => void;
  /** Called before slow work for which the target is not responsible. It lasts until `alive` is called again. */
  busy: () => void;
}

/** One thing that a backup does with its target. */
export interface Trial {
  does: 'list' | 'write' | 'read' | 'delete';
  run: () => Promise<unknown>;
}

export interface Target {
  /** Name for people: a folder, or the address of a bucket. */
  readonly name: string;
  /** Reads the heads of the archives in the target, oldest first. */
  list(attempt: Pick<Attempt, 'alive'>): Promise<FolderContent>;
  /**
   * The archive appears under its name only once it is complete.
   * @param make writes the archive to a local file
   */
  put(name: string, make: (file: string) => Promise<Archive>, attempt: Attempt): Promise<Archive>;
  /** @param work gets the archives as local files, which may be deleted afterwards */
  asFiles<T>(
    archives: readonly Archive[],
    work: (files: Archive[]) => Promise<T>,
    attempt: Attempt,
  ): Promise<T>;
  /** Streams the archive of that name and size. */
  read(name: string, bytes: number): Promise<Readable>;
  /** In this order, with a small object that is no archive. */
  trials(): readonly Trial[];
  /** Does nothing if the archive no longer exists. */
  remove(archive: Archive): Promise<void>;
}

export const TRIAL_TEXT = 'This object was made to test the connection, and can be deleted.\n';

/** @throws Error if something else came back */
export const sameAsSent = (text: string): void => {
  if (text !== TRIAL_TEXT) throw new Error(`something else came back than was written: ${text.slice(0, 60)}`);
};
