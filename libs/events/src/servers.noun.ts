import { defineNoun } from './define-noun';
import { addressesOf } from './placement-words';
import type { serverEvents } from './servers.events';

/**
 * Grows when Initialize Server prepares more than before. Servers that were initialized earlier are offered to be
 * initialized again. 2: enough connections for nginx, and names that no site has are refused.
 */
export const SET_UP = 2;

export const server = defineNoun<typeof serverEvents>()({
  category: 'server',
  words: { many: 'Servers', one: 'One server' },
  rows: 'servers',
  audience: 'admin',
  named: 'alias',
  events: {
    ServerRegistered: (d) => `registered ${d.alias} at ${d.username}@${d.host}:${d.port}`,
    ServerRenamed: (d) => `renamed to ${d.alias}`,
    ServerMoved: (d) => `moved to ${d.username}@${d.host}:${d.port}`,
    // Configurations contain these paths, so the generated ones may now differ from the live ones.
    ServerPathsChanged: {
      stale: ['servers', 'domains'],
      says: (d) => `changed paths to ${d.root}, ${d.path}, ${d.nginxPath}`,
    },
    ServerKeyReplaced: (d) => `replaced the private key with ${d.key.fingerprint}`,
    ServerKeyDownloaded: (d) => `downloaded the private key ${d.fingerprint}`,
    ServerHostKeyPinned: (d) => `pinned the host key ${d.fingerprint}`,
    ServerHostKeyRefused: (d) =>
      `refused the changed host key ${d.got.fingerprint}, expected ${d.expected.fingerprint}`,
    ServerHostKeyReturned: (d) =>
      `found the pinned host key ${d.fingerprint} again, after refusing ${d.refused.fingerprint}`,
    ServerHostKeyAccepted: (d) => `accepted the host key ${d.fingerprint}`,
    ServerInitialized: (d) =>
      `initialized on ${d.facts.os}: ${d.changed.length === 0 ? 'nothing to change' : d.changed.join(', ')}`,
    DockerInstalled: (d) =>
      `${d.changed.length === 0 ? 'found' : 'installed'} Docker ${d.engine}${d.compose ? ` with compose ${d.compose}` : ''}${d.changed.length === 0 ? ' already installed' : ''}`,
    ServerHealthChanged: (d) =>
      d.to === 'reachable'
        ? 'found the server reachable'
        : `found the server unreachable: ${d.reason ?? 'no answer'}`,
    // Where domains point is judged anew with the next DNS answer.
    ServerAddressesChanged: (d) =>
      d.addresses.length === 0
        ? 'found that the server has no public address of its own'
        : `found the server's own addresses: ${addressesOf(d.addresses)}`,
    ServerRemoved: (d) => `removed ${d.alias}`,
    ServerRestored: (d) => `restored ${d.alias} with the private key ${d.key.fingerprint}`,
  },
  removedBy: 'ServerRemoved',
  restoredBy: 'ServerRestored',
  undo: ['ServerRenamed', 'ServerMoved', 'ServerPathsChanged', 'ServerRemoved'],
});
