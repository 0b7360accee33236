export { DomainVerdictBadge } from './DomainVerdictBadge';
export { ReleaseState } from './ReleaseState';
export { releasePath, type Release } from './release-words';
export { RunningStates } from './RunningStates';
export { ServerVerdictBadge } from './ServerVerdictBadge';
export { useExpiringDays } from './use-expiring-days';
export { VerdictBadge } from './VerdictBadge';
