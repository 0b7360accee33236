// covers: BAK-01
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Archive } from '../archive/read';
import type { FolderContent } from '../folder';
import { FolderTarget } from '../targets/folder-target';
import { lookAt } from './look-at';

const attempt = { alive: () => undefined };
const archive = (id: string): Archive => ({ file: id, head: { id } }) as Archive;
const target = (archives: Archive[], refused: string[] = []) => ({
  name: '/mnt/backups',
  list: (): Promise<FolderContent> => Promise.resolve({ archives, refused }),
});

it('refuses a target in which none of the archives put there can be found', async () => {
  await expect(lookAt(target([]), ['a', 'b'], attempt)).rejects.toThrow(
    /^\/mnt\/backups: all 2 archives put there before cannot be found\. If its disk is not mounted, mount it/,
  );
  await expect(lookAt(target([archive('of another console')]), ['a'], attempt)).rejects.toThrow(
    '/mnt/backups: the archive put there before cannot be found',
  );
});

it('accepts a target that has one of them, whole or damaged, and one that is new', async () => {
  for (const [one, expected] of [
    [target([archive('b')]), ['a', 'b']],
    [target([], ['a.backup: the archive is cut off']), ['a']],
    [target([]), []],
  ] as const)
    expect(await lookAt(one, expected, attempt)).toEqual(await one.list());
});

it('makes no folder where one is missing', async () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-look-'));
  const folder = path.join(root, 'not', 'mounted');
  await expect(lookAt(new FolderTarget(folder), ['a'], attempt)).rejects.toThrow(/cannot be found/);
  expect(fs.readdirSync(root)).toEqual([]);
  fs.rmSync(root, { recursive: true });
});
