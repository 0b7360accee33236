/** The databases of a product, one or more for each environment. */
import {
  boxedEnumeration,
  choice,
  enumeration,
  integer,
  paragraphs,
  reference,
  secret,
  secretLines,
  text,
} from './kit/field';
import { noun } from './kit/noun';

export const environments = ['dev', 'test', 'prod'] as const;
export const databaseTypes = ['MySQL', 'PostgreSQL'] as const;

/**
 * `automatic`: TLS with a public address or a certificate. Without TLS, the password is only sent in a form that nobody
 * else can use. `none`: no TLS without a certificate, and the password in the form that the server wants.
 */
export const databaseEncryption = ['automatic', 'none'] as const;

export const database = noun('database', {
  path: 'database',
  within: 'product',
  named: 'name',
  fields: {
    // Not unique: the databases of dev, test and prod often have the same name.
    name: text(64, { help: 'The name of the database on its server.' }),
    host: text(253, { isHost: true }),
    port: integer(65_535, { min: 1 }),
    username: text(80),
    password: secret(1000, {
      help: 'Stored encrypted. Administrators can show it; the history records that.',
    }),
    env: boxedEnumeration(environments, { label: 'Environment' }),
    dbType: enumeration(databaseTypes, { label: 'Type', help: 'Choose MySQL for MariaDB too.' }),
    certificate: paragraphs(20_000, {
      help: 'PEM. With it, connections are encrypted and the server has to prove who it is.',
      example: '',
    }),
    server: reference('server', {
      label: 'SSH tunnel through',
      help: 'A server from which the host can be reached over SSH. If empty, it is reached directly.',
      optional: true,
    }),
    encryption: choice(databaseEncryption, {
      help: 'automatic: public addresses are reached with TLS, and the password is never sent in clear. none: everybody on the network in between can read the password and the data.',
      since: { version: 2, value: 'automatic' },
      onDemand: true,
    }),
    clientCertificate: secretLines(20_000, {
      help: 'For a server that asks for one: PEM, the certificate and its private key, one after the other. Connections are then encrypted. If the server asks for nothing else, any password will do.',
      since: { version: 3, value: null },
    }),
  },
});
