/** A folder for archives, local or mounted. Created for the first archive. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { openRegular, type Archive } from '../archive/read';
import { archivesIn, removeForgotten, type FolderContent } from '../folder';
import { sameAsSent, TRIAL_TEXT, type Attempt, type Target, type Trial } from './target';

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

  trials(): Trial[] {
    const file = path.join(this.name, `test-${randomUUID()}`);
    return [
      {
        does: 'list',
        run: async () => {
          await fs.mkdir(this.name, { recursive: true, mode: 0o700 });
          await fs.readdir(this.name);
        },
      },
      { does: 'write', run: () => fs.writeFile(file, TRIAL_TEXT, { mode: 0o600 }) },
      { does: 'read', run: async () => sameAsSent(await fs.readFile(file, 'utf8')) },
      { does: 'delete', run: () => fs.rm(file) },
    ];
  }

  async remove({ file }: Archive): Promise<void> {
    await fs.rm(file, { force: true });
  }
}
