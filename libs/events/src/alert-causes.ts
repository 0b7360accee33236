/** What alerts are about, as people choose it: each word with the recorded cause. A test concerns only its sender. */
export const alertCauses = {
  'server unreachable': 'serverUnreachable',
  'server overloaded': 'serverOverloaded',
  'memory almost full': 'memoryFull',
  'disk almost full': 'diskFull',
  'nginx stopped': 'nginxStopped',
  'Docker stopped': 'dockerStopped',
  'host key changed': 'hostKeyChanged',
  'machine gone': 'machineGone',
  'machine moved': 'machineMoved',
  'site not answering': 'siteDown',
  'DNS moved': 'dnsMoved',
  'configuration changed on the server': 'configDrifted',
  'certificate expiring': 'certificateExpiry',
  'service not serving': 'serviceDown',
  'deploy failed': 'deployFailed',
  'deploy waits for approval': 'deployApproval',
  'cloud database gone': 'cloudDatabaseGone',
  'cloud database moved': 'cloudDatabaseMoved',
  'cloud token refused': 'cloudRefused',
  'workflow asks': 'workflowAsks',
  'workflow tells': 'workflowTells',
  'trigger failed': 'workflowTrigger',
  'scheduled run failed': 'scheduleFailed',
  'backup failed': 'backupFailed',
  'backup overdue': 'backupOverdue',
  'drill failed': 'drillFailed',
  'drill overdue': 'drillOverdue',
  'archives not removed': 'archivesNotRemoved',
  'foreign events': 'foreignEvents',
  'streams of the log cut': 'logCut',
  'channel failed': 'channelFailed',
} as const;

export type CauseWord = keyof typeof alertCauses;
export type AlertCause = (typeof alertCauses)[CauseWord];

export const causeWords = Object.keys(alertCauses) as readonly CauseWord[];

const words = new Map<string, CauseWord>(causeWords.map((word) => [alertCauses[word], word]));

/** `disk almost full`. */
export const causeInWords = (cause: string): string => words.get(cause) ?? cause;
