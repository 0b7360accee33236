/** Sentences of events name what they were done to. */
import { saysOf } from './event-words';
import type { HistoryView } from './history';

const shop = { category: 'product', id: 'p', name: 'Shop' };
const book = { category: 'entity', id: 'e', name: 'Book' };
const nameOf = (id: string): string => ({ ada: 'Ada', grace: 'Grace' })[id] ?? id;

type Subject = HistoryView['subject'];
const told = (
  subject: Partial<Subject> & { category: string },
  type: string,
  says: string,
  more: object = {},
) => saysOf({ subject: { id: 'x', ...subject }, type, says, actor: 'ada', ...more }, nameOf);

const status = { category: 'attribute', name: 'Status', within: [shop, book] };
const site = {
  category: 'domain',
  name: 'shop.example.test',
  within: [{ category: 'server', id: 's', name: 'web-1' }],
};

test.each([
  [status, 'AttributeAdded', 'added Status', 'added the attribute Status to Book'],
  [status, 'AttributeRemoved', 'removed Status', 'removed the attribute Status from Book'],
  [status, 'AttributeRestored', 'restored Status', 'restored the attribute Status to Book'],
  [status, 'AttributeRenamed', 'renamed to State', 'renamed an attribute of Book to State'],
  [status, 'AttributeRevised', 'changed type', 'changed type of the attribute Status of Book'],
  [{ ...book, within: [shop] }, 'EntityAdded', 'added Book', 'added the entity Book to Shop'],
  [shop, 'ProductAdded', 'added Shop', 'added the product Shop'],
  [{ category: 'script', name: 'Uptime' }, 'ScriptRemoved', 'removed Uptime', 'removed the script Uptime'],
  [{ category: 'script', name: 'Uptime' }, 'ScriptRenamed', 'renamed to Up', 'renamed the script to Up'],
  // A parent that the read model does not know yet, and the words of a command of the noun.
  [{ category: 'attribute', name: 'Status' }, 'AttributeAdded', 'added Status', 'added the attribute Status'],
  [{ category: 'apiInstance', name: 'Main' }, 'ApiUserLocked', 'locked Ann', 'locked Ann'],
  [site, 'LocationRevised', 'changed location /api/', 'changed /api/ of shop.example.test'],
  [site, 'LocationAdded', 'added location /', 'added / to shop.example.test'],
  [site, 'LocationRemoved', 'removed location /', 'removed / from shop.example.test'],
  [site, 'DomainRenamed', 'renamed to b.example.test', 'renamed a domain of web-1 to b.example.test'],
  [site, 'DomainMoved', 'moved to another server', 'moved shop.example.test to another server'],
  [{ category: 'server', name: 'web-1' }, 'ServerRenamed', 'renamed to web-1', 'renamed the server to web-1'],
  [
    { category: 'variable', name: 'api', within: [shop] },
    'VariableAdded',
    'added KEY for prod',
    'added KEY for prod to api',
  ],
  [{ category: 'text', name: 'hi' }, 'TextTranslated', 'changed in German', 'changed the text hi in German'],
  [{ category: 'text', name: 'hi' }, 'TextRemoved', 'removed', 'removed the text hi'],
  [
    { category: 'text', name: 'hi' },
    'TextCommented',
    'commented on German',
    'commented on the text hi in German',
  ],
  [{ category: 'text' }, 'TextRemoved', 'removed', 'removed'],
])('%j %s: %s', (subject, type, says, sentence) => {
  expect(told(subject, type, says)).toBe(sentence);
});

test('an undo says what it undid, and who had done that', () => {
  const undoes = { type: 'AttributeAdded', says: 'added Status', actor: 'grace' };
  const undo = (more: object) => told(status, 'AttributeRemoved', 'removed Status', { undoes, ...more });
  expect(undo({})).toBe('undid "added the attribute Status to Book" by Grace');
  expect(undo({ actor: 'grace' })).toBe('undid "added the attribute Status to Book"');
});
