/** A throw-away server's control groups, and what outlives one whose owner was killed: those, and its temporary folder. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
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
    : folders(MOUNTS).filter((one) => existsSync(join(one, 'cgroup.procs')));

/** One in every hierarchy, v1 or v2, so that its systemd can manage what is below. */
export const makeGroups = (name: string): string[] =>
  hierarchies().map((hierarchy) => {
    const group = join(hierarchy, name);
    mkdirSync(group);
    // Nothing may run in a group of version 1 before it has these.
    for (const file of ['cpuset.cpus', 'cpuset.mems'])
      if (hierarchy !== MOUNTS && existsSync(join(group, file)))
        writeFileSync(join(group, file), readFileSync(join(hierarchy, file)));
    return group;
  });

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
