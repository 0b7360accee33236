import type { RunWords } from './define-run';

const actions: Readonly<Record<string, string>> = {
  power_on: 'Power on',
  power_off: 'Power off',
  shutdown: 'Shut down',
  reboot: 'Reboot',
  power_cycle: 'Power cycle',
  resize: 'Resize',
  rename: 'Rename',
  snapshot: 'Snapshot',
  rebuild: 'Rebuild',
};

export const cloudRuns = {
  createDroplet: {
    label: () => 'Create droplet',
    steps: {
      keys: 'Make the keys',
      registerKey: 'Register the key at the provider',
      createDroplet: 'Create the droplet',
      awaitDroplet: 'Wait until the droplet is active',
      signIn: 'Sign in',
      hostKey: 'Replace the first host key',
      removeKey: 'Remove the key from the provider',
      settleKeys: 'Remove what was made for it',
    },
  },
  dropletAction: {
    label: ({ type }) => actions[String(type)],
    steps: { requestAction: 'Request the action', awaitAction: 'Wait until it is done' },
  },
  deleteDroplet: {
    label: () => 'Delete droplet',
    steps: { deleteDroplet: 'Delete the droplet' },
  },
  createCloudDatabase: {
    label: () => 'Create cloud database',
    steps: { createCluster: 'Create the database', awaitCluster: 'Wait until it is online' },
  },
  deleteCloudDatabase: {
    label: () => 'Delete cloud database',
    steps: { deleteCluster: 'Delete the database' },
  },
} satisfies Record<string, RunWords>;
