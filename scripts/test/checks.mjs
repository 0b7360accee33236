/** The static checks, two at a time: most of them use one core. */
import { runNode } from './programs.mjs';

const tsc = 'node_modules/typescript7/bin/tsc';
const cruised = ['libs', 'apps/backend/src', 'apps/console/src', 'testing', 'e2e', 'bench'];

const checks = [
  {
    title: 'lint',
    args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--report-unused-disable-directives'],
  },
  { title: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
  { title: 'types', args: [tsc, '-p', 'tsconfig.json'] },
  { title: 'types of the browser tests', args: [tsc, '-p', 'e2e/browser/tsconfig.json'] },
  { title: 'types of the console', args: [tsc, '-p', 'apps/console/tsconfig.json'] },
  {
    title: 'boundaries',
    args: [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      'scripts/lint/dependencies.cjs',
      '--output-type',
      'json',
      ...cruised,
    ],
    judge: judgeBoundaries,
  },
  { title: 'shell', args: ['scripts/lint/shell.mjs'] },
  { title: 'unused code', args: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
];

/** @returns {Promise<import('../test.mjs').Outcome>} */
export async function runChecks() {
  const waiting = [...checks];
  const outcome = { passed: 0, failures: [] };
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const result = await runNode(check.args, { minutes: 20 });
      const complaint = check.judge ? check.judge(result) : result.ok ? undefined : result.output;
      console.log(`${complaint === undefined ? 'passed' : 'FAILED'} ${check.title}`);
      if (complaint === undefined) outcome.passed += 1;
      else outcome.failures.push({ title: check.title, output: complaint });
    }
  };
  await Promise.all([work(), work()]);
  return outcome;
}

/** With a wrong compiler the cruiser finds no module and reports success, so the modules are counted. */
function judgeBoundaries({ stdout, output }) {
  let summary;
  try {
    summary = JSON.parse(stdout).summary;
  } catch {
    return output || 'no answer';
  }
  if (!(summary.totalCruised > 50)) return `only ${summary.totalCruised} modules were looked at`;
  if (summary.violations.length === 0) return undefined;
  return summary.violations
    .map(
      ({ rule, from, to, cycle }) =>
        `${rule.name}: ${from} -> ${cycle ? cycle.map((step) => step.name).join(' -> ') : to}`,
    )
    .join('\n');
}
