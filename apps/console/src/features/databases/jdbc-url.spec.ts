// covers: VAL-03
import { readJdbcUrl } from './jdbc-url';

const wrong = (why: string) => ({ problem: `url wrongly formatted: ${why}` });

test.each([
  ['jdbc:mysql://db.example.test:3307/shop', { host: 'db.example.test', port: 3307, name: 'shop' }],
  [
    'jdbc:mysql://shop:pass@db.example.test/shop',
    { host: 'db.example.test', port: 3306, name: 'shop', username: 'shop' },
  ],
  [
    'jdbc:mysql://shop:pass@10.0.0.5:3308/shop?useSSL=true',
    { host: '10.0.0.5', port: 3308, name: 'shop', username: 'shop' },
  ],
  [
    'jdbc:mysql://app:se@cret@db.example.test:3306/shop',
    { host: 'db.example.test', port: 3306, name: 'shop', username: 'app' },
  ],
  [' jdbc:mysql://db:1/shop?user=root ', { host: 'db', port: 1, name: 'shop', username: 'root' }],
  ['jdbc:mysql://db.example.test/shop', wrong('expected jdbc:mysql://host:3306/name, with the port')],
  ['mysql', wrong('expected jdbc:mysql://host:3306/name, with the port')],
  ['a:b:c:d:e:f', wrong('it has more than four colons')],
  ['odbc:mysql://db:3306/shop', { problem: 'must start with jdbc' }],
  ['jdbc:postgresql://db:5432/shop', { problem: 'must start with jdbc:mysql' }],
  ['jdbc:mysql://db:port/shop', wrong('the port must be a number from 1 to 65535')],
  ['jdbc:mysql://db:70000/shop', wrong('the port must be a number from 1 to 65535')],
  ['jdbc:mysql://:3306/shop', wrong('the host is missing')],
  ['jdbc:mysql:db:3306/shop', wrong('"//" is missing after jdbc:mysql:')],
  ['jdbc:mysql://db:3306', wrong('the name of the database is missing after the host')],
  ['jdbc:mysql://db:3306/', wrong('the name of the database is missing after the host')],
  ['jdbc:mysql://db:3306/shop/orders', wrong('the name of the database contains "/"')],
])('%s', (url, read) => {
  expect(readJdbcUrl(url)).toEqual(read);
});
