// covers: BAK-03
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { tarBytes, tarOf, type TarFile } from './tar';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-tar-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const at = '2026-11-23T02:30:00.000Z';
const fileOf = (name: string, content: Buffer, bytes = content.length): TarFile => ({
  name,
  bytes,
  at,
  open: () => Promise.resolve(Readable.from([content.subarray(0, 300), content.subarray(300)])),
});
const joined = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
};

it('is unpacked by tar, and has the length that was said before', async () => {
  const contents = [512, 1, 1_000].map((bytes) => randomBytes(bytes));
  const files = contents.map((content, nth) => fileOf(`${nth}.backup`, content));
  const tar = await joined(tarOf(files));
  expect(tar).toHaveLength(tarBytes(files));
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: tar });
  for (const [nth, content] of contents.entries()) {
    const file = path.join(folder, `${nth}.backup`);
    expect(content.equals(fs.readFileSync(file))).toBe(true);
    const { mode, mtime } = fs.statSync(file);
    expect([mode & 0o777, mtime.toISOString()]).toEqual([0o600, at]);
  }
});

it('keeps long names and the mode of a file', async () => {
  const name = `${'folder/'.repeat(18)}file`;
  const tar = await joined(tarOf([{ ...fileOf(name, randomBytes(3)), mode: 0o644 }]));
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: tar });
  expect(fs.statSync(path.join(folder, name)).mode & 0o777).toBe(0o644);
  for (const long of ['x'.repeat(101), `${'folder/'.repeat(40)}file`])
    await expect(joined(tarOf([fileOf(long, randomBytes(3))]))).rejects.toThrow('too long for a tar file');
});

it('says the size of a file of more than 8 GB', async () => {
  const bytes = 10_000_000_000;
  const { value: header } = await tarOf([fileOf('large.backup', Buffer.alloc(0), bytes)]).next();
  const listed = execFileSync('sh', ['-c', 'tar -tvf - 2>/dev/null; true'], { input: header as Buffer });
  expect(listed.toString()).toMatch(/ 10000000000 .* large\.backup\n$/);
});

it.each([5, 15])('stops when a file of 10 bytes was announced with %i', async (bytes) => {
  await expect(joined(tarOf([fileOf('a.backup', randomBytes(10), bytes)]))).rejects.toThrow(
    `a.backup has another length than ${bytes} bytes`,
  );
});
