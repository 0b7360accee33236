import { useWorkspaceQuery } from '../../app/workspace.endpoints';
import { EXPIRING_DAYS } from './domain-words';

/** With fewer days left than this a certificate counts as expiring: what the workspace chose for its monitor holds everywhere. */
export const useExpiringDays = (): number =>
  useWorkspaceQuery().data?.sslMonitor.expiringDays ?? EXPIRING_DAYS;
