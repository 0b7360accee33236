/** How `npm test` runs its parts in parallel. */
import { spawnSync } from 'node:child_process';

/** @param script code that can use the exports of `scripts/test/<file>.mjs` as `m` */
const run = (file: string, script: string) => {
  const line = `import('./scripts/test/${file}.mjs').then(async (m) => { ${script} })`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', line], { encoding: 'utf8' });
  return { lines: stdout.split('\n').filter((text) => text !== ''), stderr };
};

test('a part that crashes counts as failed, and the others continue', () => {
  const { lines } = run(
    'lanes',
    `const green = { title: 'green', run: async () => ({ passed: 2, failures: [] }) };
     const crashes = { title: 'crashes', run: async () => { throw new Error('is no more'); } };
     console.log(JSON.stringify(await m.runLanes([[crashes, green], [green]])));`,
  );
  expect(JSON.parse(lines[0] ?? '')).toEqual([
    { passed: 0, failures: [{ title: 'crashes', output: expect.stringContaining('is no more') as string }] },
    { passed: 2, failures: [] },
    { passed: 2, failures: [] },
  ]);
});

test('a test run that ends without a result counts as failed', () => {
  const { lines } = run(
    'suites',
    `console.log(JSON.stringify(await m.runJest('none', ['--config', 'no-such-file.json'])));`,
  );
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    passed: 0,
    failures: [{ title: 'none', output: 'no test ran' }],
  });
});

test('output lines of a parallel part are prefixed with its name', () => {
  const { lines } = run(
    'programs',
    `const said = "console.log('one\\\\ntwo'); console.error('three'); process.exitCode = 1";
     const { ok } = await m.runNode(['-e', said], { minutes: 1, show: 'browser' });
     console.log(ok);`,
  );
  expect([...lines].sort()).toEqual(['browser | one', 'browser | three', 'browser | two', 'false']);
});
