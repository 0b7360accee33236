/** Control groups of throw-away servers, and removal of groups and folders whose owner process was killed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const MOUNTS = '/sys/fs/cgroup';
const OURS = /^throwaway-(\d+)-/;

const folders = (place: string): string[] =>
  readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(place, name));

/** The cgroup v2 hierarchy, or the v1 hierarchies of each controller. */
const hierarchies = (): string[] =>
  existsSync(join(MOUNTS, 'cgroup.procs'))
    ? [MOUNTS]
    : folders(MOUNTS).filter((one) => existsSync(join(one, 'cgroup.procs')));

/** Creates a group in every hierarchy, v1 or v2, so that the server's systemd can manage its own groups below. */
export const makeGroups = (name: string): string[] =>
  hierarchies().map((hierarchy) => {
    const group = join(hierarchy, name);
    mkdirSync(group);
    // A v1 group cannot run processes before these are set.
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

/** Retries, because the processes have just been killed and may still be in their groups. */
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

/** Removes what is left of servers whose owner process was killed before it stopped them. */
export const sweepForsaken = (): void => {
  for (const folder of folders(tmpdir()).filter(isForsaken)) rmSync(folder, { recursive: true, force: true });
  for (const group of hierarchies().flatMap(folders).filter(isForsaken)) {
    try {
      removeTree(group);
    } catch {
      // Another process is removing it, or its last process is still ending.
    }
  }
};
