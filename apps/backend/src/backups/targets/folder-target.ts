/** A folder for archives, local or mounted. Created for the first archive. */
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { openRegular, type Archive } from '../archive/read';
import { archivesIn, removeForgotten, type FolderContent } from '../folder';
import type { Attempt, Target } from './target';

export class FolderTarget implements Target {
  constructor(readonly name: string) {}

  async list({ alive }: Pick<Attempt, 'alive'>): Promise<FolderContent> {
    return archivesIn(this.name, alive).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { archives: [], refused: [] };
      throw error;
    });
  }

  async put(name: string, make: (file: string) => Promise<Archive>): Promise<Archive> {
    await fs.mkdir(this.name, { recursive: true, mode: 0o700 });
    await removeForgotten(this.name);
    return make(path.join(this.name, name));
  }

  asFiles<T>(archives: readonly Archive[], work: (files: Archive[]) => Promise<T>): Promise<T> {
    return work([...archives]);
  }

  async read(name: string): Promise<Readable> {
    const handle = await openRegular(path.join(this.name, name));
    return handle.createReadStream();
  }

  async remove({ file }: Archive): Promise<void> {
    await fs.rm(file, { force: true });
  }
}
