import { mayRehearse } from './rehearsal';

test.each<[string[], boolean | undefined]>([
  [['GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION'], true],
  [['GRANT SELECT, CREATE, DROP ON *.* TO `app`@`%`'], true],
  [['GRANT USAGE ON *.* TO `app`@`%`', 'GRANT ALL PRIVILEGES ON `shop`.* TO `app`@`%`'], false],
  [['GRANT USAGE ON *.* TO `app`@`%`', 'GRANT ALL PRIVILEGES ON `quarterdeck\\_%`.* TO `app`@`%`'], true],
  [
    ['GRANT USAGE ON *.* TO `app`@`%`', 'GRANT ALL PRIVILEGES ON `quarterdeck\\_shop%`.* TO `app`@`%`'],
    false,
  ],
  [['GRANT SELECT, CREATE ON *.* TO `app`@`%`'], false],
  [['GRANT USAGE ON *.* TO `app`@`%`', 'GRANT `builder`@`%` TO `app`@`%`'], undefined],
  [['GRANT ALL PRIVILEGES ON *.* TO `a`@`%`', 'REVOKE CREATE ON `x`.* FROM `a`@`%`'], undefined],
])('with %j a user of MySQL may make the copy of a dry run: %p', (grants, may) => {
  expect(mayRehearse('mysql', grants)).toBe(may);
});

test('PostgreSQL needs no right for a dry run', () => {
  expect(mayRehearse('postgresql', [])).toBe(true);
});
