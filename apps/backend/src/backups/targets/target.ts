/** A place for archives. Whatever it refuses is told in one line. */
import type { Readable } from 'node:stream';
import type { Archive } from '../archive/read';
import type { Found } from '../folder';

export interface Attempt {
  signal: AbortSignal;
  /** Called whenever the target has answered something: the next answer is due soon. */
  alive: () => void;
  /** Called where something takes its time that the target is not to blame for, until `alive` is called again. */
  busy: () => void;
}

export interface Target {
  /** For people: a folder, or the address of a bucket. */
  readonly name: string;
  /** The archives that are there, by their heads, the oldest first. */
  list(attempt: Pick<Attempt, 'alive'>): Promise<Found>;
  /**
   * The archive has its name there once it is whole, and not before.
   * @param make writes the archive to a file of this machine
   */
  put(name: string, make: (file: string) => Promise<Archive>, attempt: Attempt): Promise<Archive>;
  /** @param work gets the same archives as files of this machine, which may be gone afterwards */
  asFiles<T>(
    archives: readonly Archive[],
    work: (files: Archive[]) => Promise<T>,
    attempt: Attempt,
  ): Promise<T>;
  /** The archive of that name. */
  read(name: string): Promise<Readable>;
  /** Nothing happens if it is gone. */
  remove(archive: Archive): Promise<void>;
}
