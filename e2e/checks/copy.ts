/** A throw-away copy of the repository, to plant something in it. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

export interface Copy {
  root: string;
  plant(file: string, code: string): void;
  /** @throws unless the file contains `before` once */
  replace(file: string, before: string, after: string): void;
  remove(): void;
}

/** @param parts files and folders, besides the libraries and apps */
export const copyRepository = (parts: readonly string[]): Copy => {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-planted-'));
  for (const name of ['libs', 'apps', 'package.json', 'tsconfig.json', 'tsconfig.base.json', ...parts])
    fs.cpSync(path.join(root, name), path.join(copy, name), {
      recursive: true,
      filter: (file) => !/\/(node_modules|dist)(\/|$)|\.spec\.tsx?$/.test(file),
    });
  linkPackages(copy);
  const write = (file: string, code: string): void => {
    fs.mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    fs.writeFileSync(path.join(copy, file), code);
  };
  return {
    root: copy,
    plant: (file, code) => write(file, `${code}\n`),
    replace: (file, before, after) => {
      const pieces = fs.readFileSync(path.join(copy, file), 'utf8').split(before);
      if (pieces.length !== 2) throw new Error(`${file} contains ${pieces.length - 1} times: ${before}`);
      write(file, pieces.join(after));
    },
    remove: () => fs.rmSync(copy, { recursive: true, force: true }),
  };
};

/** Links the real packages, except the workspace libraries, which must point into the copy. */
function linkPackages(copy: string): void {
  const there = path.join(root, 'node_modules');
  const here = path.join(copy, 'node_modules');
  fs.mkdirSync(path.join(here, '@quarterdeck'), { recursive: true });
  for (const name of fs.readdirSync(there)) {
    if (name !== '@quarterdeck') fs.symlinkSync(path.join(there, name), path.join(here, name));
  }
  for (const name of fs.readdirSync(path.join(copy, 'libs'))) {
    fs.symlinkSync(path.join(copy, 'libs', name), path.join(here, '@quarterdeck', name));
  }
}
