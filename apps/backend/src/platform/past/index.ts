export { Instants } from './instants';
export { askedInstant, type Instant, present, presentOrPast, queriesAt } from './past';
export { atPresent, beforeItsEffect, ifRecorded, refuseUnrecorded } from './repetition';
