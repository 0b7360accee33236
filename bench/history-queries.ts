/** What operators ask the history of a busy workspace (`busyLog`), with few, many and no results. */
import type { listHistory } from '../apps/backend/src/history/history.queries';
import type { BusyLog } from '../testing/busy-log';

/** How far the story of that workspace goes back. */
export const DAYS = 700;

export type Query = Parameters<typeof listHistory>[2];

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** The queries, grouped by what makes them hard. */
export const queriesOf = (
  events: number,
  { people: [someone = ''], servers: [server = ''] }: Pick<BusyLog, 'people' | 'servers'>,
): Record<string, Query[]> => ({
  'the first page': [{}],
  'a page in the middle': [
    { before: String(Math.round(events / 2)) },
    { before: String(Math.round(events / 10)) },
  ],
  'one type, common': [{ types: ['RunSucceeded'] }, { types: ['ServerMoved'] }],
  'types of long ago, or never': [
    { types: ['PersonJoined', 'ServerRegistered'] },
    { types: ['DeployFailed'] },
  ],
  'one subject, one kind of subject': [
    { subject: { category: 'server', id: server } },
    { subject: { category: 'script' } },
    { subject: { category: 'deploy' } },
  ],
  'one actor, somebody else, nobody': [{ actor: someone }, { actor: 'system' }, { actor: 'cli' }],
  'two that seldom or never meet': [
    { actor: someone, types: ['PersonJoined'] },
    { actor: 'system', types: ['ServerMoved'] },
    { subject: { category: 'run' }, types: ['ServerMoved'] },
    { subject: { category: 'run' }, actor: 'system' },
  ],
  'a day of long ago, all before, nothing': [
    { from: ago(DAYS / 2), to: ago(DAYS / 2 - 1) },
    { to: ago(DAYS / 2) },
    { from: ago(-1) },
    { from: ago(DAYS - 100), to: ago(100), types: ['PersonJoined'] },
  ],
  'text that much says': [{ text: 'succeeded' }, { text: 'cannot be reached' }, { text: 'moved to' }],
  'text that little or nothing says': [
    { text: '10.17.1' },
    { text: 'registered web-1' },
    { text: 'lighthouse' },
    { text: 'zq' },
  ],
  'a name, of few and of many': [
    { text: 'shop-17' },
    { text: 'web-17' },
    { text: 'Memory usage' },
    { text: 'on web' },
  ],
  'text with something else': [
    { text: 'web-17', types: ['RunFailed'] },
    { text: 'Memory usage', actor: 'cli' },
    { text: 'Memory usage', subject: { category: 'domain' } },
    { text: 'succeeded', from: ago(DAYS / 2), to: ago(DAYS / 2 - 1) },
  ],
  'much with much, which never meet': [
    { text: 'succeeded', types: ['ServerMoved'] },
    { text: 'succeeded', types: ['RunStepStarted'] },
    { text: 'Memory usage', actor: 'system' },
    { text: 'on web', subject: { category: 'server' } },
    { text: 'we', subject: { category: 'script' } },
  ],
  'little with much, which sometimes meet': [
    { text: '10.17.1', types: ['ServerMoved'] },
    { text: 'shop-17', actor: 'system' },
    { text: 'web-17', types: ['RunStepStarted'] },
    { text: 'web-17', to: ago(DAYS / 2) },
  ],
});
