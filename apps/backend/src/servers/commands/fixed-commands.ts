import { changesServer, type CommandName, commandTypes } from '@quarterdeck/events';
import { fixedShell, shell, type ShellCommand } from '../../platform/ssh';
import dockerImages from './docker-images.sh';
import dockerPrune from './docker-prune.sh';
import dockerPs from './docker-ps.sh';
import dockerStats from './docker-stats.sh';
import memoryUsage from './memory-usage.sh';
import nginxLogs from './nginx-logs.sh';
import nginxRestart from './nginx-restart.sh';
import nginxTest from './nginx-test.sh';
import serverInfo from './server-info.sh';
import staticFolders from './static-folders.sh';

interface ServerFolders {
  path: string;
}

interface CommandScript {
  /** Works on parts of the server, if it takes any. */
  script: (server: ServerFolders) => ShellCommand;
  timeoutMs: number;
}

const seconds = 1000;

const fixed = (file: Parameters<typeof fixedShell>[0]): CommandScript['script'] => {
  const command = fixedShell(file);
  return () => command;
};
const listFolders = shell(staticFolders, ['folder']);

const scripts: Record<CommandName, CommandScript> = {
  memoryUsage: { script: fixed(memoryUsage), timeoutMs: 20 * seconds },
  dockerPs: { script: fixed(dockerPs), timeoutMs: 30 * seconds },
  nginxTestandRestart: { script: fixed(nginxRestart), timeoutMs: 90 * seconds },
  listStaticFolders: { script: ({ path }) => listFolders({ folder: path }), timeoutMs: 120 * seconds },
  serverInfo: { script: fixed(serverInfo), timeoutMs: 30 * seconds },
  nginxLogs: { script: fixed(nginxLogs), timeoutMs: 30 * seconds },
  dockerPrune: { script: fixed(dockerPrune), timeoutMs: 900 * seconds },
  nginxTest: { script: fixed(nginxTest), timeoutMs: 30 * seconds },
  dockerStats: { script: fixed(dockerStats), timeoutMs: 45 * seconds },
  dockerImages: { script: fixed(dockerImages), timeoutMs: 45 * seconds },
};

export interface FixedCommand extends CommandScript {
  cmdType: number;
  name: CommandName;
  label: string;
  /** The command changes something on the server, so the operator has to confirm it. */
  changes: boolean;
}

export const fixedCommands: readonly FixedCommand[] = commandTypes.map(({ cmdType, name, label }) => ({
  ...scripts[name],
  cmdType,
  name,
  label,
  changes: changesServer(cmdType),
}));

export const fixedCommand = (cmdType: number): FixedCommand | undefined =>
  fixedCommands.find((command) => command.cmdType === cmdType);
