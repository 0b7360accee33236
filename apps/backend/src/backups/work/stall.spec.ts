// covers: BAK-01
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownIdentity, ownRecipient } from '../own-identity';
import { FolderTarget } from '../targets/folder-target';
import { Stalled, unlessStalled } from './stall';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-stall-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;

/** Waits until the pipe has a reader. A blocking open would stop this thread, which has yet to open the pipe for reading. */
const letGo = async (pipe: string): Promise<void> => {
  for (;;)
    try {
      return fs.closeSync(fs.openSync(pipe, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      await sleep(5);
    }
};

it('gives up on a folder that never answers, and says which one', async () => {
  const pipe = path.join(folder, 'quarterdeck-1.backup');
  // Opening it for reading does not return before somebody opens it for writing.
  execFileSync('mkfifo', [pipe]);
  const target = new FolderTarget(folder);
  let listed: Promise<unknown> = Promise.resolve();
  const given = unlessStalled({ what: folder, ms: 50, signal: never }, () => (listed = target.list()));
  try {
    await expect(given).rejects.toThrow(new Stalled(`${folder} did not answer for 0 s`));
  } finally {
    await letGo(pipe);
    await listed.catch(() => undefined);
  }
});

it('lets work go on that says that it gets on', async () => {
  const work = async (alive: () => void): Promise<string> => {
    for (let step = 0; step < 8; step++) {
      await new Promise((done) => setTimeout(done, 20));
      alive();
    }
    return 'done';
  };
  expect(await unlessStalled({ what: 'it', ms: 10_000, signal: never }, work)).toBe('done');
});

it('ends with the reason of whoever wants the end, once the work has put its things away', async () => {
  const ending = new AbortController();
  let tidied = false;
  const work = (_alive: () => void, signal: AbortSignal): Promise<never> =>
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
