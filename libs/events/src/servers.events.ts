/**
 * What can happen to a server.
 *
 * Storage format: these shapes lie in logs for ever. An added optional field keeps the name; anything else is a new
 * version with an upcast (see `catalogue.ts`) and a new recorded sample.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

/** A key of the vault, by reference: the material itself is never in an event. */
export const keyReference = z.object({
  ref: z.uuid(),
  /** `SHA256:…` of the public half, as `ssh-keygen -l` prints it. */
  fingerprint: z.string(),
  /** `ssh-ed25519`, `ssh-rsa`, … */
  algorithm: z.string(),
});

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
  /** Another address or another account. The pinned host key goes with the address it was seen at. */
  ServerMoved: defineEvent(z.object({ host: z.string(), port: z.int(), username: z.string() })),
  ServerPathsChanged: defineEvent(z.object({ root: z.string(), path: z.string(), nginxPath: z.string() })),
  ServerKeyReplaced: defineEvent(z.object({ key: keyReference })),
  /** Somebody took the private key out of the vault. */
  ServerKeyDownloaded: defineEvent(z.object({ fingerprint: z.string() })),
  /** First contact: this is the key that the host showed, and that it has to show from now on. */
  ServerHostKeyPinned: defineEvent(hostKey),
  /** The host showed another key than the pinned one; nothing was sent to it. */
  ServerHostKeyRefused: defineEvent(z.object({ expected: hostKey, got: hostKey })),
  /** The host proved to hold the pinned key again, after another one (`refused`) had been refused. */
  ServerHostKeyReturned: defineEvent(hostKey.extend({ refused: hostKey })),
  /** An admin has looked at the changed key and trusts it. */
  ServerHostKeyAccepted: defineEvent(hostKey.extend({ previous: hostKey.optional() })),
  /** The last step of the run `initializeServer`: everything that the console needs there is in place. */
  ServerInitialized: defineEvent(
    z.object({
      facts: z.object({
        /** `debian 12`, `alpine 3.20.1` */
        os: z.string(),
        kernel: z.string(),
        architecture: z.string(),
        cores: z.int(),
        memoryBytes: z.int(),
        /** Of the file system that holds `root`. */
        diskBytes: z.int(),
        nginx: z.string().optional(),
        certbot: z.string().optional(),
        docker: z.string().optional(),
      }),
      /** What had to be done, in words. Empty: everything was there already. */
      changed: z.array(z.string()),
    }),
  ),
  DockerInstalled: defineEvent(
    z.object({ engine: z.string(), compose: z.string().optional(), changed: z.array(z.string()) }),
  ),
  /** Recorded when it changes, not at every probe. */
  ServerHealthChanged: defineEvent(
    z.object({
      to: z.enum(['reachable', 'unreachable']),
      /** Why it cannot be reached, as code and in words. */
      code: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
  ServerRemoved: defineEvent(z.object({ alias: z.string() })),
  /** It is there again as it was when it was removed; its key went then, and this is the one it has now. */
  ServerRestored: defineEvent(z.object({ alias: z.string(), key: keyReference })),
};
