/** The databases of a product, one or more for each environment. */
import { boxedEnumeration, enumeration, integer, paragraphs, reference, secret, text } from './kit/field';
import { noun } from './kit/noun';

export const environments = ['dev', 'test', 'prod'] as const;
export const databaseTypes = ['MySQL', 'PostgreSQL'] as const;

export const database = noun('database', {
  path: 'database',
  within: 'product',
  named: 'name',
  fields: {
    // Not unique: the databases of dev, test and prod often have the same name.
    name: text(64, { help: 'The name of the database on its server.' }),
    host: text(253),
    port: integer(65_535, { min: 1 }),
    username: text(80),
    password: secret(1000, {
      help: 'Stored encrypted. Administrators can show it; the history records that.',
    }),
    env: boxedEnumeration(environments, { label: 'Environment' }),
    dbType: enumeration(databaseTypes, { label: 'Type', help: 'Choose MySQL for MariaDB too.' }),
    certificate: paragraphs(20_000, {
      help: 'PEM. With it, connections are encrypted and the server has to prove who it is.',
    }),
    server: reference('server', {
      label: 'Reached through',
      help: 'A server from which the host can be reached over SSH. If empty, it is reached directly.',
      optional: true,
    }),
  },
});
