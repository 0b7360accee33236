export { Instants } from './instants';
export { askedInstant, type Instant, present, presentOrAsOf, queriesAt } from './as-of';
export { atPresent, beforeItsEffect, ifRecorded, refuseUnrecorded } from './repetition';
