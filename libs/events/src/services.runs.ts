import type { RunWords } from './define-run';

export const serviceRuns = {
  createService: {
    label: () => 'Create service',
    steps: {
      create: 'Repository',
      createFront: 'Repository of the client part',
      upgradeDataModel: 'Add the data model',
      init: 'Initialize',
      initFront: 'Initialize the client part',
      addEnvVar: 'Add environment variables',
    },
  },
  cleanUpService: {
    label: () => 'Clean up service',
    steps: {
      deleteFront: 'Delete the repository of the client part',
      delete: 'Delete the repository',
      removeService: 'Remove the service',
    },
  },
} satisfies Record<string, RunWords>;
