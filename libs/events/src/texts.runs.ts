import type { RunWords } from './define-run';

export const textRuns = {
  importTexts: {
    label: ({ keys }) => (keys === undefined ? 'Import texts' : `Import texts of ${Number(keys)} keys`),
    steps: { import: 'Texts' },
  },
  undoTextImport: {
    label: () => 'Undo an import of texts',
    steps: { undo: 'Texts' },
  },
} satisfies Record<string, RunWords>;
