// covers: BAK-01
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ownIdentity, ownRecipient } from '../own-identity';
import { FolderTarget } from '../targets/folder-target';
import type { Attempt } from '../targets/target';
import { Stalled, unlessStalled } from './stall';

const never = new AbortController().signal;

it('gives up on a folder that never answers, and says which one', async () => {
  const given = unlessStalled(
    { what: '/mnt/backups', ms: 50, signal: never },
    () => new Promise(() => undefined),
  );
  await expect(given).rejects.toThrow(new Stalled('/mnt/backups did not answer for 0 s'));
});

it('lists a folder with a pipe in it, which nobody writes to', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-stall-'));
  try {
    execFileSync('mkfifo', [path.join(folder, 'quarterdeck-1.backup')]);
    const listing = ({ alive }: Attempt) => new FolderTarget(folder).list({ alive });
    expect(await unlessStalled({ what: folder, ms: 60_000, signal: never }, listing)).toBeDefined();
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

it('lets work go on that says that it gets on', async () => {
  const work = async ({ alive }: Attempt): Promise<string> => {
    for (let step = 0; step < 8; step++) {
      await new Promise((done) => setTimeout(done, 20));
      alive();
    }
    return 'done';
  };
  expect(await unlessStalled({ what: 'it', ms: 10_000, signal: never }, work)).toBe('done');
});

it('blames no target for what the database takes, and ends that too', async () => {
  const target = { what: 'the target', ms: 20, signal: never };
  const hang = ({ busy }: Attempt): Promise<never> => {
    busy();
    return new Promise(() => undefined);
  };
  await expect(unlessStalled({ ...target, busyMs: 60 }, hang)).rejects.toThrow(
    'the database made no progress for 0 h',
  );
  const answersNoMore = ({ busy, alive }: Attempt): Promise<never> => {
    busy();
    alive();
    return new Promise(() => undefined);
  };
  await expect(unlessStalled(target, answersNoMore)).rejects.toThrow('the target did not answer for 0 s');
});

it('ends with the reason of whoever wants the end, once the work has put its things away', async () => {
  const ending = new AbortController();
  let tidied = false;
  const work = ({ signal }: Attempt): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        setTimeout(() => {
          tidied = true;
          reject(new Error('interrupted'));
        }, 20);
      });
    });
  const given = unlessStalled({ what: 'it', ms: 10_000, signal: ending.signal }, work);
  ending.abort(new Error('cancelled'));
  await expect(given).rejects.toThrow('cancelled');
  expect(tidied).toBe(true);
});

it('follows from the master key, always the same one, and reveals nothing of it', async () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  expect(ownIdentity(key)).toBe(ownIdentity(Buffer.from(key)));
  expect(ownIdentity(key)).not.toBe(ownIdentity(other));
  expect(ownIdentity(key)).toMatch(/^AGE-SECRET-KEY-1[A-Z0-9]{58}$/);
  expect(await ownRecipient(key)).toMatch(/^age1[a-z0-9]{58}$/);
});
