/** The ten fixed commands as buttons, divided into those that only read and those that change something. */
import {
  IconBrandDocker,
  IconChartBar,
  IconChecklist,
  IconCpu,
  IconEraser,
  IconFileText,
  IconFolders,
  IconPhoto,
  IconRefreshAlert,
  IconServer,
  type Icon,
} from '@tabler/icons-react';
import { changesServer, commandTypes, type CommandName, type CommandType } from '@quarterdeck/events';

interface Description {
  icon: Icon;
  description: string;
  /** Shown for confirmation before a command that changes something. */
  warning?: string;
}

const descriptions: Record<CommandName, Description> = {
  memoryUsage: { icon: IconCpu, description: 'Used and free memory and swap' },
  serverInfo: { icon: IconServer, description: 'System, load, disks, docker and nginx' },
  listStaticFolders: { icon: IconFolders, description: 'Folders with static files and their sizes' },
  dockerPs: { icon: IconBrandDocker, description: 'Containers with state and ports' },
  dockerStats: { icon: IconChartBar, description: 'Resource use of running containers' },
  dockerImages: { icon: IconPhoto, description: 'Images and the space they take' },
  nginxTest: { icon: IconChecklist, description: 'Whether the configuration is valid' },
  nginxLogs: { icon: IconFileText, description: 'The end of the access and error logs' },
  nginxTestandRestart: {
    icon: IconRefreshAlert,
    description: 'Restarts nginx if its configuration is valid',
    warning:
      'nginx tests its configuration and restarts when it is valid. Its sites may be unreachable for a moment.',
  },
  dockerPrune: {
    icon: IconEraser,
    description: 'Removes what no container uses',
    warning:
      'Stopped containers, unused networks, unused images and the build cache are removed. Volumes stay. It cannot be undone.',
  },
};

/** Confirmation before a saved script runs. `changes` is undefined if the version is not loaded. */
export const scriptQuestion = (script: { name: string; version: number; changes: boolean | undefined }) => {
  const { name, version, changes } = script;
  const what = `Version ${version} of ${name} runs with the permissions of the server’s account.`;
  if (changes === false) return { body: `${what} Its author marked it read-only.`, danger: false };
  if (changes === undefined) return { body: what, danger: true };
  return { body: `${what} It makes changes on the server.`, danger: true };
};

export type Command = CommandType & Description;

const order = Object.keys(descriptions);
const commands: readonly Command[] = commandTypes
  .map((command) => ({ ...command, ...descriptions[command.name] }))
  .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));

export const looking = commands.filter(({ cmdType }) => !changesServer(cmdType));
export const changing = commands.filter(({ cmdType }) => changesServer(cmdType));
