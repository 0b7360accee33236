import { workspaces } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';
import { EXPIRING_DAYS } from '@quarterdeck/projections';

/** With fewer days left than this a certificate counts as expiring: what the workspace chose for its monitor holds everywhere. */
export const useExpiringDays = (): number =>
  useAnswer(workspaces.detail).data?.sslMonitor.expiringDays ?? EXPIRING_DAYS;
