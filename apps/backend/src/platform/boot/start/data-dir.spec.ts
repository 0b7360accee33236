import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { failureOf } from '../../database/postgres-server-failure';
import { embeddedProblem, folderFault, prepareDataDir } from './data-dir';

const caught = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('DATA_DIR', () => {
  let dir: string;
  beforeEach(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-data-dir-'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    fs.rmSync(dir, { recursive: true });
  });

  it('is created if it is missing, and nothing is left of the trial', () => {
    const inner = path.join(dir, 'a/b');
    prepareDataDir(inner, { database: true });
    expect(fs.readdirSync(inner)).toEqual([]);
  });

  it.each(['file', 'file/below'])('is reported if it is not a folder: %s', (name) => {
    fs.writeFileSync(path.join(dir, 'file'), '');
    const place = path.join(dir, name);
    expect(caught(() => prepareDataDir(place, { database: true }))).toMatchObject({
      exitCode: 78,
      message: `DATA_DIR=${place} is a file or below a file, not a folder; name a folder`,
    });
  });

  it('is reported as too small for a new database, but not for an existing or external one', () => {
    const small = { ...fs.statfsSync(dir), bavail: 20 * 256, bsize: 4096 };
    jest.spyOn(fs, 'statfsSync').mockReturnValue(small);
    expect(caught(() => prepareDataDir(dir, { database: true }))).toMatchObject({
      exitCode: 78,
      message: `DATA_DIR=${dir} has 20 MB free, and a new database takes 160 MB; free some space there, or choose another folder`,
    });
    prepareDataDir(dir, { database: false });
    fs.mkdirSync(path.join(dir, 'postgres'));
    prepareDataDir(dir, { database: true });
  });

  it.each([
    [{ code: 'EROFS', message: 'EROFS: read-only file system, open' }, 'is on a read-only file system'],
    [{ code: 'EACCES', message: 'EACCES: permission denied, mkdir' }, 'cannot be written by the user'],
    [{ code: 'ENOSPC', message: 'ENOSPC: no space left on device' }, 'has no space left: the disk is full'],
    [{ code: 1, stderr: 'initdb: error: could not write: No space left on device' }, 'has no space left'],
    [{ code: 'EDQUOT', message: 'EDQUOT' }, 'has no space left: the disk quota is used up'],
  ])('%j means that it %s', (error, wrong) => {
    expect(folderFault(error)?.wrong).toContain(wrong);
  });

  it.each([
    [
      'FATAL:  could not write lock file "postmaster.pid": No space left on device',
      78,
      'has no space left: the disk is full; free some space there, or choose another folder',
    ],
    [
      'PANIC:  could not locate a valid checkpoint record',
      69,
      'has a database that does not start: the database in /d is damaged: could not locate a valid checkpoint record; restore that folder from a backup; /d/log says more',
    ],
  ])('is reported in one line when Postgres says %s', (said, exitCode, wrong) => {
    const failure = failureOf({ data: '/d', log: '/d/log', port: 1, said, freeBytes: 1e9 });
    const problem = caught(() => embeddedProblem(dir, failure));
    expect(problem).toMatchObject({ exitCode });
    expect((problem as Error).message).toBe(`DATA_DIR=${dir} ${wrong}`);
  });

  it('is reported in one line if initdb fails', () => {
    const said =
      'Command failed: initdb -D /d\ninitdb: error: could not create directory "/d": Invalid argument\n';
    const problem = caught(() => embeddedProblem(dir, new Error(said)));
    expect((problem as Error).message).toBe(
      `DATA_DIR=${dir} has a database that does not start: could not create directory "/d": Invalid argument; see ${dir}/postgres/server.log`,
    );
  });
});
