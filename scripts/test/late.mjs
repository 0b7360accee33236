/** Runs the tests of pages as on a machine and a network that are slow at random: for `npm run faults`. */
import { runNode } from './programs.mjs';

const MINUTES = 60;
/** The processor of a page takes this many times as long (e2e/browser/slow-pages.ts). */
const SLOWED = { SLOW_PAGES: '4' };

/** @returns {Promise<boolean>} whether all passed */
export async function runLate(times) {
  const failed = [];
  for (let seed = 0; seed < times; seed += 1) {
    console.log(`\nlate answers and parts, LATE_SEED=${seed}`);
    const { ok } = await runNode(
      ['node_modules/jest/bin/jest.js', '--selectProjects', 'console', '--randomize', `--seed=${seed}`],
      { minutes: MINUTES, show: true, env: { NODE_ENV: 'test', CI: 'true', LATE_SEED: String(seed) } },
    );
    if (!ok) failed.push(seed);
  }
  console.log(
    `\n${times - failed.length}/${times}  late answers and parts; failed seeds: ${failed.join(', ') || 'none'}`,
  );
  return failed.length === 0;
}

/** @returns {Promise<boolean>} whether all passed */
export async function runSlow() {
  console.log('\nbrowser tests with slowed pages');
  const { ok } = await runNode(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list'], {
    minutes: 2 * MINUTES,
    show: true,
    env: { NODE_ENV: 'test', CI: 'true', BUILT_BY_NPM_TEST: 'yes', ...SLOWED },
  });
  console.log(`\n${ok ? 1 : 0}/1  browser tests with slowed pages`);
  return ok;
}
