// covers: VAL-03
import { readDatabaseUrl } from './database-url';

const wrong = (why: string) => ({ problem: `url wrongly formatted: ${why}` });
const mysql = { host: 'db.example.test', port: 3306, name: 'shop', dbType: 1 };
const postgresql = { host: 'db.example.test', port: 5432, name: 'shop', dbType: 2 };
const app = { username: 'app' };

test.each([
  ['jdbc:mysql://db.example.test:3307/shop', { ...mysql, port: 3307 }],
  ['jdbc:mysql://app:pass@db.example.test/shop', { ...mysql, ...app }],
  [
    'jdbc:mysql://app:pass@10.0.0.5:3308/shop?useSSL=true',
    { ...mysql, ...app, host: '10.0.0.5', port: 3308 },
  ],
  ['jdbc:mysql://app:se@cret@db.example.test:3306/shop', { ...mysql, ...app }],
  ['jdbc:mysql://app:se/cret@db.example.test:3306/shop', { ...mysql, ...app }],
  ['jdbc:mysql://app:a:b:c@db.example.test:3306/shop', { ...mysql, ...app }],
  [' jdbc:mysql://db:1/shop?user=root ', { ...mysql, host: 'db', port: 1, username: 'root' }],
  ['jdbc:mysql://[2001:db8::7]:3306/shop', { ...mysql, host: '2001:db8::7' }],
  ['jdbc:mysql://app%40eu:x@db.example.test/my%20shop', { ...mysql, username: 'app@eu', name: 'my shop' }],
  ['jdbc:mysql://100%:x@db.example.test/shop', { ...mysql, username: '100%' }],
  ['jdbc:mariadb://db.example.test:3306/shop', mysql],
  ['jdbc:postgresql://db.example.test/shop?user=app&password=x', { ...postgresql, ...app }],
  ['mysql://app:x@db.example.test:25060/shop?ssl-mode=REQUIRED', { ...mysql, ...app, port: 25_060 }],
  ['postgresql://app:x@db.example.test:25060/shop?sslmode=require', { ...postgresql, ...app, port: 25_060 }],
  ['postgres://app:x@[2001:db8::7]/shop', { ...postgresql, ...app, host: '2001:db8::7' }],
  ['app:x@tcp(db.example.test:3307)/shop?parseTime=true', { ...mysql, ...app, port: 3307 }],
  ['host=db.example.test dbname=shop user=app password=x=y sslmode=require', { ...postgresql, ...app }],
  ['Server=db.example.test;Port=3307;Database=shop;Uid=app;Pwd=x;', { ...mysql, ...app, port: 3307 }],
  ['Server=db.example.test;Database=shop;Port=5432;User Id=app;Password=x', { ...postgresql, ...app }],
  ['jdbc:mysql://db.example.test/shop', wrong('expected jdbc:mysql://host:3306/name, with the port')],
  ['mysql', wrong('expected jdbc:mysql://host:3306/name, with the port')],
  ['a:b:c:d:e:f', { problem: 'must start with jdbc, mysql:// or postgresql://' }],
  ['odbc:mysql://db:3306/shop', { problem: 'must start with jdbc, mysql:// or postgresql://' }],
  [
    'jdbc:oracle:thin:@db:1521/shop',
    { problem: 'must start with jdbc:mysql, jdbc:mariadb or jdbc:postgresql' },
  ],
  ['jdbc:mysql://one:3306,two:3306/shop', wrong('the port must be a number from 1 to 65535')],
  ['jdbc:mysql://one,two:3306/shop', wrong('it names several hosts: enter the one to connect to')],
  ['jdbc:mysql://db:port/shop', wrong('the port must be a number from 1 to 65535')],
  ['jdbc:mysql://db:70000/shop', wrong('the port must be a number from 1 to 65535')],
  ['jdbc:mysql://:3306/shop', wrong('the host is missing')],
  ['jdbc:mysql:db:3306/shop', wrong('"//" is missing after jdbc:mysql:')],
  ['jdbc:mysql://db:3306', wrong('the name of the database is missing after the host')],
  ['jdbc:mysql://db:3306/', wrong('the name of the database is missing after the host')],
  ['jdbc:mysql://db:3306/shop/orders', wrong('the name of the database contains "/"')],
])('%s', (url, read) => {
  expect(readDatabaseUrl(url)).toEqual(read);
});

test.each([
  'jdbc:mysql://app:LEAKED@pw/x@db.example.test:3306/shop',
  'postgresql://app:LEAKED@db.example.test/shop',
  'app:LEAKED@tcp(db.example.test)/shop',
  'host=db.example.test dbname=shop password=LEAKED',
  'jdbc:mysql://db.example.test:3306/shop?password=LEAKED',
])('no piece of the password is taken over: %s', (url) => {
  const read = readDatabaseUrl(url);
  expect(read).toMatchObject({ host: 'db.example.test', name: 'shop' });
  expect(JSON.stringify(read)).not.toContain('LEAKED');
});
