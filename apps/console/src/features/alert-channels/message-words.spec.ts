// covers: OPS-02
import { alertChannel, fieldsOfKind } from '@quarterdeck/events';
import { aboutInWords, messageLook, wantedInWords } from './message-words';

const keys = Object.keys(fieldsOfKind(alertChannel.fields, 'group')[0]?.[1].fields ?? {});
const wants = (...wanted: string[]) => Object.fromEntries(keys.map((key) => [key, wanted.includes(key)]));

test.each([
  [keys, 'everything'],
  [keys.filter((key) => key !== 'backups'), 'everything but backups'],
  [['sites', 'console'], 'sites, the console itself'],
  [[], 'nothing'],
])('a channel that wants %j', (wanted, words) => {
  expect(wantedInWords(wants(...wanted))).toBe(words);
});

const tried = { at: '2026-11-30T10:00:00.000Z', attempt: 1 };
test.each([
  [{ state: 'delivered', is: 'raised', attempts: [tried] }, 'delivered'],
  [{ state: 'failed', is: 'raised', attempts: [tried] }, 'failed'],
  [{ state: 'dropped', is: 'raised', attempts: [] }, 'no longer needed'],
  [{ state: 'waiting', is: 'raised', attempts: [] }, 'waiting'],
  [{ state: 'waiting', is: 'raised', attempts: [{ ...tried, delivered: false }] }, 'retrying'],
  [{ state: 'waiting', is: 'test', attempts: [tried] }, 'not known'],
] as const)('%j', (message, label) => {
  expect(messageLook({ ...message, attempts: [...message.attempts] }).label).toBe(label);
});

test('a message is named by what it is about', () => {
  const alert = { id: 'a', raisedAt: tried.at };
  expect(aboutInWords({ is: 'test', alerts: [] })).toBe('A test');
  expect(aboutInWords({ is: 'raised', alerts: [alert] })).toBe('1 alert');
  expect(aboutInWords({ is: 'over', alerts: [alert, alert] })).toBe('The end of 2 alerts');
});
