/** What outlives a throw-away server whose owner was killed: empty control groups, and its temporary folder. */
import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const MOUNTS = '/sys/fs/cgroup';
const OURS = /^throwaway-(\d+)-/;

const folders = (place: string): string[] =>
  readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(place, name));

/** One hierarchy, or a folder with one for each controller. */
const hierarchies = (): string[] =>
  existsSync(join(MOUNTS, 'cgroup.procs'))
    ? [MOUNTS]
    : folders(MOUNTS).filter((one) => statSync(one).isDirectory());

const removeTree = (group: string): void => {
  for (const below of folders(group)) removeTree(below);
  rmdirSync(group);
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Its processes have just been killed: the last of them may still be about to leave. */
export const removeGroups = async (name: string): Promise<void> => {
  for (const hierarchy of hierarchies()) {
    const group = join(hierarchy, name);
    for (let attempt = 0; existsSync(group); attempt += 1) {
      try {
        removeTree(group);
      } catch (error) {
        if (attempt === 300) throw error;
        await pause(10);
      }
    }
  }
};

const isForsaken = (path: string): boolean => {
  const [, owner] = OURS.exec(basename(path)) ?? [];
  return owner !== undefined && !existsSync(`/proc/${owner}`);
};

/** What processes left that were killed before they could stop their servers. */
export const sweepForsaken = (): void => {
  for (const folder of folders(tmpdir()).filter(isForsaken)) rmSync(folder, { recursive: true, force: true });
  for (const group of hierarchies().flatMap(folders).filter(isForsaken)) {
    try {
      removeTree(group);
    } catch {
      // Somebody else is at it, or its last process is about to leave.
    }
  }
};
