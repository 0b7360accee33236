/** How `npm test` runs its parts in parallel. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param script code that can use the exports of `scripts/test/<file>.mjs` as `m` */
const run = (file: string, script: string) => {
  const line = `import('./scripts/test/${file}.mjs').then(async (m) => { ${script} })`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', line], { encoding: 'utf8' });
  return { lines: stdout.split('\n').filter((text) => text !== ''), stderr };
};

const sequencer = `
  const Sequencer = require(${JSON.stringify(require.resolve('@jest/test-sequencer'))}).default;
  module.exports = class extends Sequencer {
    sort = (tests) => [...tests].sort((a, b) => (a.path < b.path ? -1 : 1));
  };`;

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

test('a test run that is killed names what was running, and counts what had ended', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-killed-run-'));
  const file = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  file('package.json', '{}');
  file('a.spec.js', `test('passes', () => {}); test('fails', () => { throw new Error('is red'); });`);
  file('b.spec.js', `test('kills', () => process.kill(process.pid, 'SIGKILL'));`);
  file('order.js', sequencer);
  const args = [
    'spec',
    '--rootDir',
    folder,
    '--config',
    '{"testSequencer":"<rootDir>/order.js"}',
    '--runInBand',
  ];
  const { lines } = run(
    'suites',
    `console.log(JSON.stringify(await m.runJest('some', ${JSON.stringify(args)})));`,
  );
  rmSync(folder, { recursive: true });
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    passed: 1,
    failures: [
      { title: 'some', output: expect.stringMatching(/^ended while these were running: \S*b\.spec\.js$/) },
      { title: expect.stringMatching(/a\.spec\.js › fails$/), output: expect.stringContaining('is red') },
    ],
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
