/** Reads the built program of an API without a console, and the packages that it loads. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DomainError } from '../../platform/errors';
import { standaloneFile } from './standalone-file';

export interface Runtime {
  /** By path in the folder of the API. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Exact versions of the packages that it imports. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Of the compiled part in `files`, such as `linux-x64`. */
  readonly platform: string;
}

/** It has some 4 MB. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 500;
/** Nothing at run time reads them. Licences stay. */
const UNUSED = /\.(?:map|md|d\.[cm]?ts)$/;

/** @throws DomainError `unavailable` if this console was not built */
export const readRuntime = async (): Promise<Runtime> => {
  const { files: parts, packages } = await listed();
  const root = fileURLToPath(new URL('.', standaloneFile));
  const files = new Map<string, Buffer>();
  let bytes = 0;
  const add = async (name: string, place: string): Promise<void> => {
    const content = await readFile(place);
    bytes += content.length;
    if (bytes > MAX_BYTES || files.size >= MAX_FILES) throw new Error('the program of an API is too large');
    files.set(name, content);
  };
  for (const part of parts) await add(`runtime/${part}`, join(root, part));
  const versions = new Map<string, string>();
  const wanted = new Map(packages.map((name) => [name, { isOptional: false }]));
  for (const [name, { isOptional }] of wanted) {
    const found = await packageIn(root, name);
    if (!found && isOptional) continue;
    if (!found) throw new Error(`the package ${name} is missing`);
    versions.set(name, found.version);
    for (const file of await filesOf(found.folder))
      await add(`node_modules/${name}/${file}`, join(found.folder, file));
    for (const next of Object.keys(found.dependencies)) wanted.set(next, { isOptional: false });
    for (const next of Object.keys(found.optionalDependencies))
      if (!wanted.has(next)) wanted.set(next, { isOptional: true });
  }
  return {
    files,
    dependencies: Object.fromEntries(packages.map((name) => [name, versions.get(name) ?? ''])),
    platform: `${process.platform}-${process.arch}`,
  };
};

const listed = async (): Promise<{ files: string[]; packages: string[] }> => {
  try {
    return JSON.parse(await readFile(standaloneFile, 'utf8')) as { files: string[]; packages: string[] };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new DomainError(
      'unavailable',
      'this console runs from its sources: start it with `npm start` first',
    );
  }
};

interface Package {
  readonly folder: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Where Node would find it. */
const packageIn = async (from: string, name: string): Promise<Package | undefined> => {
  for (let at = from; ; at = join(at, '..')) {
    const folder = join(at, 'node_modules', name);
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined)
      return {
        dependencies: {},
        optionalDependencies: {},
        ...(JSON.parse(text) as Partial<Package> & Pick<Package, 'version'>),
        folder,
      };
    if (at === join(at, '..')) return undefined;
  }
};

/** Without packages of its own: the build has put all versions beside each other. */
const filesOf = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !UNUSED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !file.startsWith('node_modules/'));
};
