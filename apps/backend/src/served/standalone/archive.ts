import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DomainError } from '../../platform/errors';
import { tarOf } from '../../platform/tar';

const zipped = promisify(gzip);
/** The program has 4 MB, the definition of a large API a few. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * @param folder name of the one in which the files are
 * @returns a compressed tar archive
 * @throws DomainError `unprocessable` if it would be too large
 */
export const archiveOf = async (folder: string, files: ReadonlyMap<string, Buffer>): Promise<Buffer> => {
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  if (bytes > MAX_BYTES)
    throw new DomainError(
      'unprocessable',
      `this API is larger than ${MAX_BYTES / 1024 ** 2} MB: remove endpoints, or divide it into instances`,
    );
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
