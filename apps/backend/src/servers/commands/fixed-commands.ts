import { changesServer, type CommandName, commandTypes } from '@quarterdeck/events';
import { dockerImagesScript, dockerPruneScript, dockerPsScript, dockerStatsScript } from './docker-scripts';
import { nginxLogsScript, nginxTestAndRestartScript, nginxTestScript } from './nginx-scripts';
import { memoryUsageScript, serverInfoScript, staticFoldersScript } from './system-scripts';

interface ServerFolders {
  path: string;
}

interface CommandScript {
  script: string;
  timeoutMs: number;
  /** The parts of the server that the script works on, as its positional parameters. */
  args?(server: ServerFolders): string[];
}

const seconds = 1000;

const scripts: Record<CommandName, CommandScript> = {
  memoryUsage: { script: memoryUsageScript, timeoutMs: 20 * seconds },
  dockerPs: { script: dockerPsScript, timeoutMs: 30 * seconds },
  nginxTestandRestart: { script: nginxTestAndRestartScript, timeoutMs: 90 * seconds },
  listStaticFolders: { script: staticFoldersScript, timeoutMs: 120 * seconds, args: ({ path }) => [path] },
  serverInfo: { script: serverInfoScript, timeoutMs: 30 * seconds },
  nginxLogs: { script: nginxLogsScript, timeoutMs: 30 * seconds },
  dockerPrune: { script: dockerPruneScript, timeoutMs: 900 * seconds },
  nginxTest: { script: nginxTestScript, timeoutMs: 30 * seconds },
  dockerStats: { script: dockerStatsScript, timeoutMs: 45 * seconds },
  dockerImages: { script: dockerImagesScript, timeoutMs: 45 * seconds },
};

export interface FixedCommand {
  cmdType: number;
  name: CommandName;
  label: string;
  script: string;
  timeoutMs: number;
  /** The command changes something on the server, so the operator has to confirm it. */
  changes: boolean;
  args(server: ServerFolders): string[];
}

export const fixedCommands: readonly FixedCommand[] = commandTypes.map(({ cmdType, name, label }) => ({
  args: () => [],
  ...scripts[name],
  cmdType,
  name,
  label,
  changes: changesServer(cmdType),
}));

export const fixedCommand = (cmdType: number): FixedCommand | undefined =>
  fixedCommands.find((command) => command.cmdType === cmdType);
