// covers: DB-01
import { commandsFor } from './database-commands';

const target = {
  name: 'shop',
  host: 'db.example.test',
  port: 3306,
  username: 'shop',
  certificate: '',
  clientCertificate: null,
};
const text = (dbType: number, title: string, changed: object = {}, password = 'hush'): string | undefined =>
  commandsFor(dbType, { ...target, ...changed }, password).find((one) => one.title === title)?.text;

const titles = ['Create database', 'Create user', 'Grant', 'Connect', 'Dump', 'Restore'];

test.each([1, 2])('database type %i has a command for each task', (dbType) => {
  const found = commandsFor(dbType, target, 'hush').map(({ title }) => title);
  expect(found.toSorted()).toEqual(titles.toSorted());
});

test('escapes names and passwords so that they cannot end their string', () => {
  expect(text(1, 'Create user', { username: "o'neil" }, "a'b\\c")).toBe(
    String.raw`CREATE USER 'o\'neil'@'%' IDENTIFIED BY 'a\'b\\c';`,
  );
  expect(text(1, 'Create database', { name: 'a`b' })).toBe('CREATE DATABASE `a``b` CHARACTER SET utf8mb4;');
  expect(text(2, 'Create user', { username: 'o"neil' }, "a'b")).toBe(
    `CREATE USER "o""neil" WITH PASSWORD 'a''b';`,
  );
  expect(text(1, 'Connect', { name: '$(reboot)', username: "x'y" })).toBe(
    String.raw`mysql --host=db.example.test --port=3306 --user='x'\''y' --password '$(reboot)'`,
  );
});

test('limits a grant to one database by escaping _, which matches any character', () => {
  expect(text(1, 'Grant', { name: 'shop_dev' })).toBe(
    String.raw`GRANT ALL PRIVILEGES ON ${'`shop\\_dev`'}.* TO 'shop'@'%';`,
  );
});

test('keeps a name from being read as an option or as settings', () => {
  const login = '--host=db.example.test --port=3306 --username=shop';
  expect(text(2, 'Connect', { name: 'a=b' })).toBe(String.raw`psql ${login} 'dbname='\''a=b'\'''`);
  expect(text(2, 'Dump', { name: '-x' })).toBe(
    String.raw`pg_dump ${login} --clean --if-exists 'dbname='\''-x'\''' > _x.sql`,
  );
  expect(text(1, 'Restore', { name: '-x' })).toBe(
    `mysql --host=db.example.test --port=3306 --user=shop --password -- '-x' < _x.sql`,
  );
});

test('makes clients verify the server if there is a certificate', () => {
  expect(text(1, 'Dump', { certificate: 'PEM' })).toContain(
    '--ssl-ca=ca.pem --loose-ssl-mode=VERIFY_IDENTITY --loose-ssl-verify-server-cert',
  );
  expect(text(2, 'Connect', { certificate: 'PEM' })).toMatch(
    /^PGSSLMODE=verify-full PGSSLROOTCERT=ca\.pem psql/,
  );
});
