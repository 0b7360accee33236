import type { RunWords } from './define-run';

export const scriptRuns = {
  script: {
    label: ({ name }) => (typeof name === 'string' ? name : undefined),
    steps: { script: 'Script' },
  },
} satisfies Record<string, RunWords>;
