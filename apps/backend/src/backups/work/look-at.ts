/** Lists the archives of a target before any work there. */
import { ArchiveRefused } from '../archive/head';
import type { FolderContent } from '../folder';
import type { Attempt, Target } from '../targets/target';

/**
 * Refuses an unmounted disk, whose folder looks like an empty one: a backup would fill the disk of the console, and
 * nobody would notice before a restore.
 * @param expected ids of archives that were put there; if empty, the target may be new
 * @throws ArchiveRefused if none of them is there
 */
export const lookAt = async (
  target: Pick<Target, 'name' | 'list'>,
  expected: readonly string[],
  attempt: Pick<Attempt, 'alive'>,
): Promise<FolderContent> => {
  const found = await target.list(attempt);
  const there = new Set(found.archives.map(({ head }) => head.id));
  if (expected.length === 0 || found.refused.length > 0 || expected.some((id) => there.has(id))) return found;
  const what = expected.length === 1 ? 'the archive' : `all ${expected.length} archives`;
  throw new ArchiveRefused(
    `${target.name}: ${what} put there before cannot be found. If its disk is not mounted, mount it. To begin anew there, ask for a full backup`,
  );
};
