// covers: VAL-03
import { readJdbcUrl } from './jdbc-url';

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
  [' jdbc:mysql://db:1/shop?user=root ', { host: 'db', port: 1, name: 'shop', username: 'root' }],
  ['jdbc:mysql://db.example.test/shop', { problem: 'url wrongly formatted' }],
  ['mysql', { problem: 'url wrongly formatted' }],
  ['a:b:c:d:e:f', { problem: 'url wrongly formatted' }],
  ['odbc:mysql://db:3306/shop', { problem: 'must start with jdbc' }],
  ['jdbc:postgresql://db:5432/shop', { problem: 'must start with jdbc:mysql' }],
  ['jdbc:mysql://db:port/shop', { problem: 'url wrongly formatted' }],
])('%s', (url, read) => {
  expect(readJdbcUrl(url)).toEqual(read);
});
