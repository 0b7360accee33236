import type {
  cloudAccountEvents,
  cloudDatabaseEvents,
  cloudDomainEvents,
  dropletEvents,
} from './cloud.events';
import { defineNoun } from './define-noun';

/** Names of providers, for people. */
export const cloudNames = { digitalocean: 'DigitalOcean' } as const;

export const cloudAccount = defineNoun<typeof cloudAccountEvents>()({
  category: 'cloudaccount',
  words: { many: 'Cloud accounts', one: 'One cloud account' },
  rows: 'cloudAccounts',
  audience: 'admin',
  named: {
    CloudConnected: (d) => cloudNames[d.cloud],
    CloudDisconnected: (d) => cloudNames[d.cloud],
  },
  events: {
    CloudConnected: (d) =>
      `connected ${d.by === 'oauth' ? 'by signing in there' : 'with a personal token'}, token ${d.secret.fingerprint}`,
    CloudTokenRefreshed: (d) => `refreshed the token: ${d.secret.fingerprint}`,
    CloudTokenRefused: (d) => `the token is no longer accepted: ${d.reason}`,
    CloudTokenAccepted: () => 'the token is accepted again',
    CloudDisconnected: (d) =>
      d.revoked
        ? 'disconnected, and the token revoked there'
        : `disconnected; the token is still valid there: ${d.reason ?? 'nobody revoked it'}`,
  },
  removedBy: 'CloudDisconnected',
});

const addressOf = ({ networks: { v4 } }: { networks: { v4: { ip_address: string }[] } }): string =>
  v4.at(-1)?.ip_address ?? 'without an address';

export const droplet = defineNoun<typeof dropletEvents>()({
  category: 'droplet',
  words: { many: 'Droplets', one: 'One droplet' },
  rows: 'droplets',
  audience: 'admin',
  named: 'name',
  events: {
    DropletDiscovered: (d) => `found at ${cloudNames[d.cloud]}: ${d.size} in ${d.region}, ${d.status}`,
    DropletChanged: (d) =>
      `is now ${d.name}, ${d.status}, ${d.size} at ${d.priceMonthly} USD a month, ${addressOf(d)}`,
    DropletPrepared: (d) => `signed in, host key ${d.hostKey.fingerprint}`,
    DropletAssociated: (d) => `associated with the server ${d.server.alias}`,
    DropletReleased: (d) => `no longer associated: the server ${d.server.alias} was removed`,
    DropletProductCleared: () => 'no longer counts for a product: that was removed',
    DropletVanished: () => 'is no longer in the account',
  },
  removedBy: 'DropletVanished',
});

export const cloudDatabase = defineNoun<typeof cloudDatabaseEvents>()({
  category: 'clouddatabase',
  words: { many: 'Cloud databases', one: 'One cloud database' },
  rows: 'cloudDatabases',
  audience: 'admin',
  named: 'name',
  events: {
    CloudDatabaseDiscovered: (d) => `found at ${cloudNames[d.cloud]}: ${d.engine} ${d.version}, ${d.status}`,
    CloudDatabaseChanged: (d) => `is now ${d.name}, ${d.status}, ${d.size}`,
    CloudDatabaseAssociated: (d) => `associated with the product ${d.product.name}`,
    CloudDatabaseReleased: (d) => `no longer associated: the database of ${d.product.name} was deleted`,
    CloudDatabasePasswordRevealed: (d) => `showed the password of ${d.user}`,
    CloudDatabaseVanished: () => 'is no longer in the account',
  },
  removedBy: 'CloudDatabaseVanished',
});

export const cloudDomain = defineNoun<typeof cloudDomainEvents>()({
  category: 'clouddomain',
  words: { many: 'Cloud domains', one: 'One cloud domain' },
  stale: ['cloudDomains'],
  audience: 'admin',
  named: 'domain',
  events: {
    CloudRecordAdded: (d) => `added the record ${d.name} ${d.ttl} ${d.type} ${d.data}`,
    CloudRecordChanged: (d) => `changed the record ${d.name} ${d.type} from ${d.before} to ${d.data}`,
    CloudRecordRemoved: (d) => `removed the record ${d.name} ${d.ttl} ${d.type} ${d.data}`,
  },
});
