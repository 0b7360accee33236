/**
 * Every message of the specification's two catalogues appears where `docs/messages.md` says, or that page says what there
 * is instead.
 *
 * covers: ERR-02
 */
import fs from 'node:fs';
import path from 'node:path';
import { callsOf } from '@quarterdeck/contract';
import { attribute } from '@quarterdeck/events';

const root = path.resolve(__dirname, '../..');

/** Section 8 of part 1, then of part 2, then what part 2 says of endpoints. In braces: what each one fills in. */
const catalogue = [
  'could not parse response to json',
  'profile undefined',
  'Data load failed',
  'something went wrong',
  'could not be found',
  'User logout: something went wrong while logging out user',
  'A username for the source host was not given',
  'A token was not given',
  'Token expired: {date}',
  'Scopes associated with your token ({scopes}) are not sufficient. Expected scopes: {scopes}.',
  'Failed to fetch domains: {status}',
  'Failed to check SSL for {domain}',
  'Renewal failed with status: {status}',
  'something went wrong, could not deploy',
  'Are you sure you would like to delete?',
  'Are you sure you would like to update the value?',
  'Are you sure you would like to delete this item?',
  'Are you sure you would like to delete the user management. This will delete all associated users irreversibly!',
  'Are you sure you want to delete that entry?',
  'Are you sure you want to delete the endpoint?',
  'Are you sure you would like to delete this block?',
  'are you sure you would like to delete this product?',
  'No versions were found, are you sure a package was published for that repository',
  'uuid not found',
  'endpoint not found',
  'uuid param undefined',
  'Not found',
  'No extra servers',
  'Type unknown',
  'url wrongly formatted',
  'must start with jdbc',
  'must start with jdbc:mysql',
  'sort attribute could not be matched',
  'filter attribute could not be matched',
  'no id, aborting',
  'no data, aborting',
  'no entity, aborting',
  'Could not find field',
  'aborted by user',
  'FormUI or def must be given',
  'env vars were imported successfully',
  'refreshed',
  'Not JSON',
  'Not a valid JSON',
  'Status outside of accepted range',
];

const page = fs.readFileSync(path.join(root, 'docs/messages.md'), 'utf8');
const rows = new Map(
  [...page.matchAll(/^\| `([^`]+)` *\| (.*) \|$/gm)].map(([, message = '', rest = '']) => [message, rest]),
);
const linked = (rest: string): string[] =>
  [...rest.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file = '']) => file);

/** Words in code: without case, escapes and the way in which a formatter breaks them. */
const plain = (text: string): string =>
  text
    .replaceAll(/['`"]\s*\+\s*['`"]/g, '')
    .replaceAll('\\', '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
const contains = (file: string, message: string): boolean => {
  const text = plain(fs.readFileSync(path.join(root, file), 'utf8'));
  return message.split(/\{\w+\}/).every((part) => text.includes(plain(part)));
};

it('the manual has each message of the catalogues, and no other', () => {
  expect([...rows.keys()].toSorted()).toEqual(catalogue.toSorted());
});

it.each(catalogue)('%s', (message) => {
  const rest = rows.get(message) ?? '';
  const files = linked(rest);
  if (files.length === 0) {
    // A sentence.
    expect(rest.trim()).toMatch(/\w{3,} .*\.$/);
    return;
  }
  const [source = '', test = ''] = files;
  expect(source).not.toMatch(/\.(spec|e2e)\./);
  expect(test).toMatch(/\.(spec|e2e)\.tsx?$/);
  expect(files.filter((file) => !contains(file, message))).toEqual([]);
});

it('a message that cannot appear is in no source', () => {
  const never = catalogue.filter((message) => linked(rows.get(message) ?? '').length === 0);
  // Common words, which code may contain.
  const telling = never.filter((message) => message.includes(' '));
  const sources = ['apps/backend/src', 'apps/console/src'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.(spec|e2e)\./.test(file))
      .map((file) => path.join(folder, file)),
  );
  const texts = sources.map((file) => fs.readFileSync(path.join(root, file), 'utf8'));
  const found = telling.filter((message) => texts.some((text) => new RegExp(`['"\`>]${message}`).test(text)));
  expect(found).toEqual([]);
});

it.each([
  ['no id, aborting', callsOf(attribute).update, { data: {} }, 'id'],
  ['no data, aborting', callsOf(attribute).insert, { entity: { id: 1 } }, 'data'],
  ['no entity, aborting', callsOf(attribute).insert, { data: {} }, 'entity'],
])('instead of %j the missing field is named', (_, call, body, field) => {
  const { error } = call.input.safeParse(body);
  const problem = error?.issues.find(({ path: [first] }) => first === field);
  expect(problem?.message).toBe('This field is required');
});
