// covers: VAL-01
import { fieldMessages } from './rules';
import { serverInsert } from './servers.inputs';

const given = {
  alias: 'web',
  host: '192.0.2.1',
  username: 'root',
  privateKey: 'key',
  root: '/root',
  path: '/srv/static',
  nginxPath: '/srv/sites',
};
const wrong = (change: Partial<typeof given>) => {
  const { error } = serverInsert.safeParse({ ...given, ...change });
  return error ? fieldMessages(error) : {};
};

test.each(['/srv/sites/', '/srv/my sites', '/srv/müller', '/etc/nginx/sites-enabled', '/home/a/-n x'])(
  '%j is a folder of sites',
  (nginxPath) => {
    expect(wrong({ nginxPath })).toEqual({});
  },
);

test.each([
  ['/etc/nginx/sites-enabled/*', 'the folder itself is expected, such as /etc/nginx/conf.d'],
  ['/srv/[a]', 'the folder itself is expected'],
  ['/srv/a#b', 'the folder itself is expected'],
  ['/srv/a;b', 'without quotes'],
  ['/srv/"a"', 'without quotes'],
  ['/srv/$host', 'without quotes'],
  ['/srv/{a}', 'without quotes'],
  ['/srv/a\\b', 'without quotes'],
  ['/srv/../etc', 'without quotes'],
  ['/', 'the whole file system is not served'],
  ['srv/sites', 'an absolute path is expected'],
])('%j is no folder of sites', (nginxPath, message) => {
  expect(wrong({ nginxPath })).toEqual({ nginxPath: expect.stringContaining(message) });
});

test('the root folder may be /, and static files may not', () => {
  expect(wrong({ root: '/', path: '/' })).toEqual({ path: expect.stringContaining('is not served') });
  expect(wrong({ root: '/a`id`', path: "/it's" })).toEqual({
    root: expect.stringContaining('without quotes'),
    path: expect.stringContaining('without quotes'),
  });
});
