import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeFile, moveFile, replaceFile } from './durable-file';

describe('a file that must survive a power loss', () => {
  let folder: string;
  let file: string;
  let done: string[];

  /** Records what reaches the disk, and when a file gets its name. */
  const watch = (): void => {
    const names = new Map<number, string>();
    const open = fs.openSync;
    const record = (name: 'renameSync' | 'linkSync') => {
      const real = fs[name];
      jest.spyOn(fs, name).mockImplementation((from, to) => {
        real(from, to);
        done.push(`${name} ${path.basename(to as string)}`);
      });
    };
    jest.spyOn(fs, 'openSync').mockImplementation((name, ...rest) => {
      const handle = open(name, ...rest);
      names.set(handle, name as string);
      return handle;
    });
    const fsync = fs.fsyncSync;
    jest.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
      fsync(handle);
      const name = names.get(handle) ?? '';
      done.push(name === folder ? 'fsync folder' : `fsync ${fs.readFileSync(name, 'utf8')}`);
    });
    record('renameSync');
    record('linkSync');
  };

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-durable-'));
    file = path.join(folder, 'kept');
    done = [];
    watch();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    fs.rmSync(folder, { recursive: true });
  });

  it('is on the disk before it gets its name, and its name is on disk before the call returns', () => {
    replaceFile(file, 'one');
    expect(done).toEqual(['fsync one', 'renameSync kept', 'fsync folder']);
    replaceFile(file, 'two');
    expect(fs.readFileSync(file, 'utf8')).toBe('two');
    expect(fs.readdirSync(folder)).toEqual(['kept']);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is created once, and a second process also waits for the folder', () => {
    makeFile(file, 'one');
    makeFile(file, 'two');
    expect(done).toEqual(['fsync one', 'linkSync kept', 'fsync folder', 'fsync two', 'fsync folder']);
    expect(fs.readFileSync(file, 'utf8')).toBe('one');
    expect(fs.readdirSync(folder)).toEqual(['kept']);
  });

  it('is moved durably', () => {
    replaceFile(`${file}.next`, 'next');
    done = [];
    moveFile(`${file}.next`, file);
    expect(done).toEqual(['renameSync kept', 'fsync folder']);
  });

  it('leaves the old file if it cannot be written', () => {
    replaceFile(file, 'one');
    jest.spyOn(fs, 'fsyncSync').mockImplementation(() => {
      throw new Error('no space left');
    });
    expect(() => replaceFile(file, 'two')).toThrow('no space left');
    expect(fs.readFileSync(file, 'utf8')).toBe('one');
    expect(fs.readdirSync(folder)).toEqual(['kept']);
  });
});
