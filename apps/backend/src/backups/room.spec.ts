// covers: BAK-01
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { reserveOf, roomProblem } from './room';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-room-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const all = { folder, bytes: Number.MAX_SAFE_INTEGER };

it('leaves a reserve on the disk of an embedded Postgres, and says what is missing', async () => {
  expect(await roomProblem(folder, all)).toMatch(
    /^\S+ is on the disk of the database, where \d+ MB are free, and \d+ MB stay free so that the console can work$/,
  );
  const little = { folder, bytes: 1 };
  expect(await roomProblem(folder, little)).toBeUndefined();
  expect(await roomProblem(folder, little, Number.MAX_SAFE_INTEGER)).toMatch(/MB are to be written/);
});

it('concerns no other disk, and no Postgres that is elsewhere', async () => {
  expect(await roomProblem('/proc', all)).toBeUndefined();
  expect(await roomProblem(folder, { ...all, folder: path.join(folder, 'none') })).toBeUndefined();
  expect(reserveOf({ DATABASE_URL: 'postgres://db/x', DATA_DIR: folder })).toBeUndefined();
  expect(reserveOf({ DATABASE_URL: undefined, DATA_DIR: folder })?.folder).toBe(
    path.join(folder, 'postgres'),
  );
});
