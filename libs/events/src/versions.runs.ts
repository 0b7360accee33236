import type { RunWords } from './define-run';

export const modelRuns = {
  firstInstance: {
    label: () => 'Create the first instance',
    steps: { create: 'Instance and administrator' },
  },
  editModel: {
    label: () => 'Edit the data model',
    steps: { edit: 'Edits' },
  },
} satisfies Record<string, RunWords>;

export const versionRuns = {
  applyVersion: {
    label: ({ version, actual }) =>
      version === undefined
        ? 'Apply version'
        : `${actual === undefined ? 'Apply' : 'Repair to'} version ${Number(version)}`,
    steps: { apply: 'Statements' },
  },
} satisfies Record<string, RunWords>;
