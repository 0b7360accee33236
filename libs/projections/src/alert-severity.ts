/** How grave an alert is, derived from what it is about. Pure. */
import type { AlertView } from './alerts';

export const severities = ['critical', 'warning', 'notice'] as const;
export type Severity = (typeof severities)[number];

const byCause: Record<Exclude<AlertView['about'], 'certificateExpiry'>, Severity> = {
  foreignEvents: 'critical',
  logCut: 'critical',
  backupFailed: 'critical',
  drillFailed: 'critical',
  serviceDown: 'critical',
  siteDown: 'critical',
  dnsMoved: 'critical',
  machineGone: 'critical',
  cloudDatabaseGone: 'critical',
  serverUnreachable: 'critical',
  hostKeyChanged: 'critical',
  nginxStopped: 'critical',
  dockerStopped: 'critical',
  backupOverdue: 'warning',
  drillOverdue: 'warning',
  archivesNotRemoved: 'warning',
  workflowTrigger: 'warning',
  cloudRefused: 'warning',
  machineMoved: 'warning',
  cloudDatabaseMoved: 'warning',
  channelFailed: 'warning',
  serverOverloaded: 'warning',
  memoryFull: 'warning',
  diskFull: 'warning',
  configDrifted: 'warning',
  deployFailed: 'warning',
  scheduleFailed: 'warning',
  deployApproval: 'notice',
  workflowAsks: 'notice',
  workflowTells: 'notice',
  test: 'notice',
};

/** An alert about a certificate is critical from the day on which that expires. */
export const severityOf = ({ about, threshold }: Pick<AlertView, 'about' | 'threshold'>): Severity => {
  if (about !== 'certificateExpiry') return byCause[about];
  return threshold !== undefined && threshold <= 0 ? 'critical' : 'warning';
};

export const isAtLeast = (alert: Pick<AlertView, 'about' | 'threshold'>, least: Severity): boolean =>
  severities.indexOf(severityOf(alert)) <= severities.indexOf(least);

/** Whether it needs somebody. A test concerns only its sender, and what is acknowledged has somebody. */
export const isStanding = ({
  about,
  state,
  acknowledged,
}: Pick<AlertView, 'about' | 'state' | 'acknowledged'>): boolean =>
  state === 'open' && about !== 'test' && !acknowledged;
