/** The ten fixed commands of the specification (`cmdType` 1 to 10): name and button label. */
export const commandTypes = [
  { cmdType: 1, name: 'memoryUsage', label: 'Memory usage' },
  { cmdType: 2, name: 'dockerPs', label: 'Docker containers' },
  { cmdType: 3, name: 'nginxTestandRestart', label: 'Test and restart nginx' },
  { cmdType: 4, name: 'listStaticFolders', label: 'Static folders' },
  { cmdType: 5, name: 'serverInfo', label: 'Server info' },
  { cmdType: 6, name: 'nginxLogs', label: 'nginx logs' },
  { cmdType: 7, name: 'dockerPrune', label: 'Docker prune' },
  { cmdType: 8, name: 'nginxTest', label: 'Test nginx' },
  { cmdType: 9, name: 'dockerStats', label: 'Docker stats' },
  { cmdType: 10, name: 'dockerImages', label: 'Docker images' },
] as const;

export type CommandType = (typeof commandTypes)[number];
export type CommandName = CommandType['name'];

export const commandOf = (cmdType: number): CommandType | undefined =>
  commandTypes.find((command) => command.cmdType === cmdType);

/** These commands change something on the server, so the console asks for confirmation first. */
export const changesServer = (cmdType: number): boolean => cmdType === 3 || cmdType === 7;
