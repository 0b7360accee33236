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
  importModel: {
    label: ({ database }) =>
      database === undefined ? 'Import the starter model' : 'Import the tables of a database',
    steps: { read: 'Read the tables', record: 'Record the tables' },
  },
} satisfies Record<string, RunWords>;

export const versionRuns = {
  applyVersion: {
    label: ({ version, actual, baseline }) => {
      if (version === undefined) return 'Apply version';
      if (baseline !== undefined) return `Record version ${Number(version)} as baseline`;
      return `${actual === undefined ? 'Apply' : 'Repair to'} version ${Number(version)}`;
    },
    steps: { apply: 'Statements' },
  },
} satisfies Record<string, RunWords>;
