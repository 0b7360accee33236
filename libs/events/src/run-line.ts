/** The line of runs that wait for a server. */
import type { EventData } from './catalogue';

/** Earlier versions recorded no time for deploys, which waited without a limit. */
export const waitsInLine = ({ kind, waitMs }: Pick<EventData<'RunRequested'>, 'kind' | 'waitMs'>): boolean =>
  waitMs !== undefined || kind === 'deployService';
