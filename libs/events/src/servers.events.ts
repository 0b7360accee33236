/**
 * Events about a server.
 *
 * Storage format: logs keep these shapes for ever. An event with an added optional field keeps its name. Any other
 * change is a new version with an upcast (see `catalogue.ts`) and a new recorded sample.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

/** A reference to a key in the vault. The key itself is never in an event. */
export const keyReference = z.object({
  ref: z.uuid(),
  /** `SHA256:…` of the public key, as `ssh-keygen -l` prints it. */
  fingerprint: z.string(),
  /** `ssh-ed25519`, `ssh-rsa`, … */
  algorithm: z.string(),
});

/** An address of a server, as DNS or the server itself knows it. */
export const address = z.object({ address: z.string(), family: z.int() });

export const hostKey = z.object({ algorithm: z.string(), fingerprint: z.string() });

export const serverEvents = {
  ServerRegistered: defineEvent(
    z.object({
      alias: z.string(),
      host: z.string(),
      port: z.int(),
      username: z.string(),
      root: z.string(),
      path: z.string(),
      nginxPath: z.string(),
      key: keyReference,
    }),
  ),
  ServerRenamed: defineEvent(z.object({ alias: z.string() })),
  /** Another address or another account. A new host or port drops the pinned host key. */
  ServerMoved: defineEvent(z.object({ host: z.string(), port: z.int(), username: z.string() })),
  ServerPathsChanged: defineEvent(z.object({ root: z.string(), path: z.string(), nginxPath: z.string() })),
  ServerKeyReplaced: defineEvent(z.object({ key: keyReference })),
  /** Somebody downloaded the private key from the vault. */
  ServerKeyDownloaded: defineEvent(z.object({ fingerprint: z.string() })),
  /** First contact: the host showed this key, and must show it from now on. */
  ServerHostKeyPinned: defineEvent(hostKey),
  /** The host showed a key that differs from the pinned one. Nothing was sent to it. */
  ServerHostKeyRefused: defineEvent(z.object({ expected: hostKey, got: hostKey })),
  /** The host shows the pinned key again, after another one (`refused`) was refused. */
  ServerHostKeyReturned: defineEvent(hostKey.extend({ refused: hostKey })),
  /** An admin has looked at the changed key and accepted it. */
  ServerHostKeyAccepted: defineEvent(hostKey.extend({ previous: hostKey.optional() })),
  /** The last step of the run `initializeServer`: everything that the console needs on the server is installed. */
  ServerInitialized: defineEvent(
    z.object({
      facts: z.object({
        /** `debian 12`, `alpine 3.20.1` */
        os: z.string(),
        kernel: z.string(),
        architecture: z.string(),
        cores: z.int(),
        memoryBytes: z.int(),
        /** Size of the file system that contains `root`. */
        diskBytes: z.int(),
        nginx: z.string().optional(),
        certbot: z.string().optional(),
        docker: z.string().optional(),
      }),
      /** The changes that were made, as phrases. Empty if everything was already in place. */
      changed: z.array(z.string()),
      /** `SET_UP` at that time. Absent: 1. */
      setUp: z.int().optional(),
    }),
  ),
  DockerInstalled: defineEvent(
    z.object({ engine: z.string(), compose: z.string().optional(), changed: z.array(z.string()) }),
  ),
  /** Recorded when the health changes, not at every probe. */
  ServerHealthChanged: defineEvent(
    z.object({
      to: z.enum(['reachable', 'unreachable']),
      /** Why the server cannot be reached: code and message. */
      code: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
  /** The server's own answer, recorded when it changes. */
  ServerAddressesChanged: defineEvent(
    z.object({
      /** Only public ones, in order. */
      addresses: z.array(address),
      /** Families in which the server also has private addresses, so it may be behind NAT. */
      private: z.array(z.int()),
    }),
  ),
  ServerRemoved: defineEvent(z.object({ alias: z.string() })),
  /** The server was restored to its state at removal. Its old key was destroyed, so it has a new one. */
  ServerRestored: defineEvent(z.object({ alias: z.string(), key: keyReference })),
};
