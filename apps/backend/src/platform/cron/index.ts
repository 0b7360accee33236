export { CronProblem } from './cron-fields';
export { cronInWords } from './cron-words';
export { dueOccurrences, missedInWords, type Due, type Occurrences } from './due-occurrences';
export { firedIdOf, Firings, type Firing } from './firings';
export { zonedOccurrences } from './zoned-occurrences';
