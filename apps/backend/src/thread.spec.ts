import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Job, threads } from './platform/threads';

const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.jobs.ts'),
);

afterAll(() => threads.close());

test.each(files)('the threads know the jobs of %s', async (file) => {
  const exported = Object.values((await import(join(__dirname, file))) as object);
  const jobs = exported.filter(
    (one): one is Job<undefined, unknown> =>
      typeof (one as Partial<Job<undefined, unknown>>).work === 'function',
  );
  expect(jobs.length).toBeGreaterThan(0);
  for (const job of jobs)
    // Without an input each job fails, but not because it is unknown.
    await expect(threads.run(job, undefined)).rejects.toThrow(/^(?!no thread knows)/);
});
