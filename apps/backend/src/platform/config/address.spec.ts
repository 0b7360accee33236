import { shownValue, withoutSecrets } from './address';

test.each([
  ['postgres://ada:pass@db:5432/x', 'postgres://db:5432/x'],
  ['postgres://ada:p@ss/w?rd@db/x', 'postgres://db/x'],
  [
    'postgres://db/x?user=ada&password=pass&sslmode=require',
    'postgres://db/x?user=***&password=***&sslmode=require',
  ],
  ['postgres://db/x?pasword=pass', 'postgres://db/x?pasword=***'],
  [
    'esdb://admin:changeit@a:2113,b:2113?tls=true&tlsCaFile=/ca.pem',
    'esdb://a:2113,b:2113?tls=true&tlsCaFile=/ca.pem',
  ],
  ['postgres://db/x?options=-c%20a=b@password', 'postgres://password'],
  ['hunter2', undefined],
])('%s is shown as %s', (address, shown) => {
  expect(withoutSecrets(address)).toBe(shown);
});

test.each([
  ['PORT', '70000', '70000'],
  ['MASTER_KEY', 'abc', undefined],
  ['GITHUB_CLIENT_SECRET', 'abc', undefined],
  ['DATABASE_URL', 'mysql://ada:pass@db/x', 'mysql://db/x'],
  ['DATABASE_URL', 'pass', undefined],
])('of %s=%s %s is shown', (variable, value, shown) => {
  expect(shownValue(variable, value)).toBe(shown);
});
