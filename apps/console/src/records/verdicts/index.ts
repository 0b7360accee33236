export { DomainVerdictBadge } from './DomainVerdictBadge';
export { ServerVerdictBadge } from './ServerVerdictBadge';
export { VerdictBadge } from './VerdictBadge';
