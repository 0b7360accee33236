import type { RunWords } from './define-run';

export const siteRuns = {
  applySite: {
    label: ({ restored }) => (restored === undefined ? 'Apply configuration' : 'Restore configuration'),
    steps: {
      before: 'Check the site before the change',
      folders: 'Folders',
      apply: 'Test, swap and reload',
      probe: 'Check the live site',
      putBack: 'Restore the last good configuration',
      verdict: 'Verdict',
      prove: 'Ask the site on its server',
      answer: 'Ask the site as visitors do',
    },
  },
  removeSite: {
    label: () => 'Remove configuration',
    steps: { remove: 'Remove it and reload nginx' },
  },
  lookAtSite: {
    label: () => 'Compare configuration',
    steps: { look: 'Read the file on the server' },
  },
  locationLogs: {
    label: ({ location }) => `Logs of ${String(location)}`,
    steps: { logs: 'Follow the logs' },
  },
  inspectLocation: {
    label: ({ location }) => `Inspect ${String(location)}`,
    steps: {
      inspect: 'Request the upstream from the server',
      site: 'Ask the site as visitors do',
    },
  },
} satisfies Record<string, RunWords>;
