import type { RunWords } from './define-run';

export const databaseRuns = {
  testDatabase: {
    label: () => 'Test connection',
    steps: { test: 'Connect and inspect' },
  },
  createDatabase: {
    label: () => 'Create database and user',
    steps: {
      look: 'Check whether it exists',
      create: 'Database, user and grant',
      verify: 'Connect as the new user',
    },
  },
} satisfies Record<string, RunWords>;
