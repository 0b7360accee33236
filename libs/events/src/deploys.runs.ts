import type { RunWords } from './define-run';

export const deployRuns = {
  deployService: {
    label: ({ version, rollbackTo }) =>
      `${rollbackTo === undefined ? 'Deploy' : 'Roll back to'} ${typeof version === 'string' ? version : 'a package'}`,
    steps: {
      variables: 'Variables whose values were destroyed',
      pull: 'Pull the image',
      start: 'Start the new container and switch the proxy to it',
      // A separate step only in runs recorded by earlier versions.
      switch: 'Test and switch the proxy',
      locations: 'Move locations to the new port',
      retire: 'Stop the old container',
      find: 'Find the package in the registry',
      download: 'Download and unpack it',
      swap: 'Test the proxy and swap the link to the files',
      tidy: 'Remove old versions',
      settle: 'Settle what the cancel left',
    },
  },
  stopService: {
    label: ({ version }) => `Stop ${typeof version === 'string' ? version : 'a service'}`,
    steps: {
      stop: 'Remove the proxy and stop the container',
      removeFiles: 'Remove the proxy and the files',
    },
  },
} satisfies Record<string, RunWords>;
