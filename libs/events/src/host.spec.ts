// covers: SRV-02, DB-01, DOM-03
import { database } from './databases.noun';
import { locationInsert } from './domains.inputs';
import { fieldsInput } from './kit/schemas';
import { serverEdit } from './servers.inputs';

const ID = '01930000-0000-7000-8000-000000000001';
const paths = { root: ' /root ', path: '/srv/static\t', nginxPath: ' /etc/nginx/conf.d' };
const server = (host: string) =>
  serverEdit.safeParse({ alias: ' web-1 ', username: ' root ', host, ...paths });
const databaseAt = (host: string) =>
  fieldsInput(database).safeParse({
    name: 'shop',
    host,
    port: 5432,
    username: 'shop',
    password: ' spaces count ',
    env: { id: 1 },
    dbType: 2,
  });

describe.each([
  ['a server', server],
  ['a database', databaseAt],
])('the host of %s', (_what, at) => {
  test.each([
    ['192.0.2.10 ', '192.0.2.10'],
    [' web-1.example.com\t', 'web-1.example.com'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['web_1.internal', 'web_1.internal'],
    ['WEB-1', 'WEB-1'],
    ['db.example.com.', 'db.example.com.'],
  ])('%j is stored as %s', (typed, stored) => {
    expect(at(typed)).toMatchObject({ success: true, data: { host: stored } });
  });

  test.each([
    ['192.0.2.10:2222', 'the port goes into its own field'],
    ['web-1.example.com:22', 'the port goes into its own field'],
    ['[2001:db8::1]:22', 'the port goes into its own field'],
    ['https://web-1.example.com', 'enter the host alone, without https://'],
    ['ssh://web-1:22', 'enter the host alone, without ssh://'],
    ['web-1.example.com/', 'enter the host alone, without a path'],
    ['web-1.example.com/srv', 'enter the host alone, without a path'],
    ['root@web-1', 'the user name goes into its own field'],
    ['256.1.1.1', 'this is no IP address'],
    ['192.0.2', 'this is no IP address'],
    ['10.0.0.1.5', 'this is no IP address'],
    ['2001:db8:::1', 'this is no IP address'],
    ['1:2:3:4:5:6:7:8:9', 'this is no IP address'],
    ['[web-1]', 'this is no IP address'],
    ['web 1', 'Enter a host name or an IP address, without spaces.'],
    ['-web', 'Enter a host name or an IP address, without spaces.'],
    ['', 'This field is required'],
    ['  ', 'This field is required'],
  ])('%j is refused: %s', (typed, message) => {
    expect(at(typed)).toMatchObject({
      success: false,
      error: { issues: [{ path: ['host'], message }] },
    });
  });
});

test('pasted text loses the spaces around it, and secrets keep theirs', () => {
  expect(server('web-1')).toMatchObject({
    data: {
      alias: 'web-1',
      username: 'root',
      root: '/root',
      path: '/srv/static',
      nginxPath: '/etc/nginx/conf.d',
    },
  });
  expect(databaseAt('db').data).toMatchObject({ password: ' spaces count ' });
  const data = { location: ' /api/ ', url: ' http://127.0.0.1:3000 ', volumes: '/srv/app ' };
  expect(locationInsert.parse({ domain: { id: ID }, data }).data).toEqual({
    location: '/api/',
    url: 'http://127.0.0.1:3000',
    volumes: '/srv/app',
  });
});
