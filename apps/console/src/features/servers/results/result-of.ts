/** Parses the output of a fixed command; `undefined` if it has an unexpected format. Pure. */
import { commandOf, type CommandName } from '@quarterdeck/events';
import type { Result } from './blocks';
import { containers, images, prune, usage } from './docker-results';
import { nginxLogs, nginxTest } from './nginx-results';
import { folders, memory, system } from './system-results';

const readers: Record<CommandName, (text: string) => Result> = {
  memoryUsage: memory,
  serverInfo: system,
  listStaticFolders: folders,
  dockerPs: containers,
  dockerStats: usage,
  dockerImages: images,
  dockerPrune: prune,
  nginxTest,
  nginxTestandRestart: nginxTest,
  nginxLogs,
};

export const resultOf = (cmdType: unknown, text: string): Result => {
  const command = commandOf(Number(cmdType));
  return command && readers[command.name](text);
};
