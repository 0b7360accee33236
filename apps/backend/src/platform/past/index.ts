export { Instants } from './instants';
export { askedInstant, type Instant, present, presentOrPast, queriesAt, timedTables } from './past';
export { PastInterceptor } from './past.interceptor';
