import { commandOf, commandTypes } from './commands';
import type { RunWords } from './define-run';

export const commandRuns = {
  command: {
    label: ({ cmdType }) => commandOf(Number(cmdType))?.label,
    steps: Object.fromEntries(commandTypes.map(({ name, label }) => [name, label])),
  },
} satisfies Record<string, RunWords>;

export const setupRuns = {
  initializeServer: {
    label: () => 'Initialize Server',
    steps: {
      reach: 'Reach the server',
      system: 'Operating system and privileges',
      prerequisites: 'Prerequisites',
      folders: 'Folders',
      nginx: 'Install nginx',
      nginxInclude: 'Include its folder in nginx',
      nginxConnections: 'Connections of nginx',
      unknownNames: 'Refuse unknown names',
      nginxService: 'Start nginx',
      certbot: 'Install certbot',
      firewall: 'Check the firewall',
      facts: 'Facts',
    },
  },
  installDocker: {
    label: () => 'Install Docker',
    steps: {
      system: 'Operating system and privileges',
      engine: 'Install the engine',
      daemon: 'Start the engine',
      compose: 'Install compose',
      verify: 'Run a container',
    },
  },
} satisfies Record<string, RunWords>;
