import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { tarOf } from '../../platform/tar';

const zipped = promisify(gzip);

/** @param folder name of the one in which the files are @returns a compressed tar archive */
export const archiveOf = async (folder: string, files: ReadonlyMap<string, Buffer>): Promise<Buffer> => {
  const at = new Date().toISOString();
  const all = [...files].map(([path, content]) => ({
    name: `${folder}/${path}`,
    bytes: content.length,
    at,
    // In a container, another account than that of the builder reads them.
    mode: 0o644,
    open: () => Promise.resolve(Readable.from([content])),
  }));
  return zipped(await buffer(tarOf(all)));
};
