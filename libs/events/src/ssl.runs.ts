import type { RunWords } from './define-run';

export const sslRuns = {
  sslMonitor: {
    label: ({ checkOnly }) => (checkOnly === true ? 'Check certificates' : 'SSL monitor'),
    steps: { fetch: 'Fetch domains', check: 'Check each', renew: 'Renew expired' },
  },
} satisfies Record<string, RunWords>;
