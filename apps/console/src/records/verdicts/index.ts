export { DomainVerdictBadge } from './DomainVerdictBadge';
export { ServerVerdictBadge, useServerVerdict } from './ServerVerdictBadge';
export { VerdictBadge } from './VerdictBadge';
