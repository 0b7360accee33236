import { workspaces } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';
import { EXPIRING_DAYS } from '@quarterdeck/projections';

/**
 * A certificate with fewer days left counts as expiring. The SSL monitor's setting is used on all pages.
 */
export const useExpiringDays = (): number =>
  useAnswer(workspaces.detail).data?.sslMonitor.expiringDays ?? EXPIRING_DAYS;
