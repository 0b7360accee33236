// covers: SRV-08
import { slugOf, versionOf } from './pull-package';

const answer = (status: number, text: string, headers = {}) => versionOf({ status, headers, text });

test.each([
  ['{"version":{"version":"1.4.2"}}', '1.4.2'],
  ['{"version":{"version":" v2 ","more":1},"else":[]}', 'v2'],
  ['{"version":{"version":7}}', '7'],
])('%s contains the version %s', (text, version) => {
  expect(answer(200, text)).toEqual({ version });
});

test.each([
  '{}',
  '[]',
  'null',
  '"1.4.2"',
  '{"version":"1.4.2"}',
  '{"version":{}}',
  '{"version":{"version":""}}',
  '{"version":{"version":"  "}}',
  '{"version":{"version":null}}',
  '{"version":{"version":["1"]}}',
  '{"version":{"version":"a\\u0000b"}}',
  '{"version":{"version":"a\\ud800"}}',
  JSON.stringify({ version: { version: 'x'.repeat(201) } }),
])('%s contains no version', (text) => {
  expect(answer(200, text)).toMatchObject({ code: 'noVersion', status: 200 });
});

test('distinguishes answers that are not JSON, not 200, or redirect', () => {
  expect(answer(200, '<html>')).toMatchObject({
    code: 'notJson',
    reason: expect.stringMatching('not answer with JSON'),
  });
  expect(answer(201, '{"version":{"version":"1"}}')).toMatchObject({ code: 'status', status: 201 });
  expect(answer(404, '')).toMatchObject({
    code: 'status',
    reason: 'the address answered with status 404 instead of 200',
  });
  expect(answer(302, '', { location: 'http://10.0.0.1/' })).toMatchObject({ code: 'redirect', status: 302 });
});

test.each([
  ['https://ci.example.org/deploy/shop', 'shop'],
  ['https://ci.example.org/deploy/shop/?branch=main', 'shop'],
  ['https://ci.example.org/', 'ci.example.org'],
  ['https://ci.example.org/shop/16C7e42F292c6912E7710c838347Ae178B4a', 'shop'],
  ['https://ci.example.org:8443', 'ci.example.org:8443'],
  ['https://ci.example.org/caf%C3%A9', 'café'],
  ['https://ci.example.org/50%', '50%'],
  ['https://ci.example.org/a%00b', 'a%00b'],
])('the package at %s is named %s by default', (cdUrl, slug) => {
  expect(slugOf(cdUrl)).toBe(slug);
});

test('never cuts a name in the middle of a character', () => {
  const slug = slugOf(`https://ci.example.org/${encodeURIComponent('🚢'.repeat(300))}`);
  expect([...slug]).toEqual(Array.from({ length: 200 }, () => '🚢'));
});
