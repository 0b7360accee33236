import { connect } from 'node:net';
import ssh2, { type AuthHandlerMiddleware, type KexAlgorithm, type ParsedKey } from 'ssh2';
import { connectFailure, readyTimeout, type Progress } from './connect-failure';
import { SshConnection } from './connection';
import { describeHostKey, signaturesToAskFor } from './host-key';
import type { HostKey, SshTarget } from './target';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { unlockPrivateKey } from './private-key';

/**
 * The host chooses the prime, and may choose one that takes ten seconds of this thread, before anybody knows whether it is
 * the right host. Every server that offers this also offers others.
 */
const CHOSEN_BY_HOST: KexAlgorithm[] = [
  'diffie-hellman-group-exchange-sha256',
  'diffie-hellman-group-exchange-sha1',
];

/** Of the text that a server sends before it accepts or refuses. */
const MAX_BANNER = 4000;

export interface ConnectionSettings {
  readyTimeoutMs: number;
  /** A peer that leaves three of these unanswered counts as dead. */
  keepaliveMs: number;
}

/**
 * Judges the host's key before anything but the key exchange is sent. Resolves to whether this is the first contact;
 * rejecting refuses the host.
 */
export type HostKeyCheck = (key: HostKey) => Promise<boolean>;

export const openConnection = async (
  target: SshTarget,
  pinned: HostKey | undefined,
  check: HostKeyCheck,
  settings: ConnectionSettings,
): Promise<SshConnection> => {
  const key = await signingKey(target.privateKey, target.passphrase);
  return new Promise((resolve, reject) => {
    const progress: Progress = { phase: 'connecting', heard: '', banner: '' };
    let hostKey: HostKey | undefined;
    let firstContact = false;
    let settled = false;
    // We create the socket, because ssh2 leaves Nagle's algorithm on, which costs 40 ms per command.
    const socket = connect({
      host: target.host,
      port: target.port,
      noDelay: true,
      autoSelectFamilyAttemptTimeout: 2500,
    });
    // ssh2 reports the error. Without this listener, an error before ssh2 listens would end the process.
    socket.on('error', () => undefined);
    const client = new ssh2.Client();
    const settle = (outcome: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      outcome();
    };
    const fail = (error: unknown): void =>
      settle(() => {
        client.on('error', () => undefined);
        socket.destroy();
        reject(error);
      });
    const timeUp = (): void => fail(readyTimeout(target, progress, settings.readyTimeoutMs));
    let timer = setTimeout(timeUp, settings.readyTimeoutMs);

    const verify = (blob: Buffer, answer: (accepted: boolean) => void): void => {
      const shown = describeHostKey(blob);
      if (hostKey) {
        // The key is shown again when the session keys are renewed.
        answer(shown.fingerprint === hostKey.fingerprint);
        return;
      }
      // Recording may take long and must not count against the host's time limit.
      clearTimeout(timer);
      progress.phase = 'hostKey';
      check(shown).then(
        (first) => {
          if (settled) return;
          hostKey = shown;
          firstContact = first;
          progress.phase = 'authentication';
          timer = setTimeout(timeUp, settings.readyTimeoutMs);
          answer(true);
        },
        (refusal: unknown) => {
          // Must come first: `answer` causes an error in ssh2 that would hide the reason.
          fail(refusal);
          answer(false);
        },
      );
    };

    socket.once('connect', () => {
      progress.phase = 'greeting';
      const listen = (bytes: Buffer): void => {
        progress.heard += bytes.toString('latin1', 0, 256);
        if (progress.heard.length >= 256) socket.off('data', listen);
      };
      socket.on('data', listen);
    });
    client.on('error', (error) => {
      if (!settled) fail(connectFailure(error, target, progress));
    });
    client.on('close', () => {
      if (!settled) fail(connectFailure(undefined, target, progress));
    });
    client.on('ready', () => {
      const accepted = hostKey;
      if (!accepted) return fail(new Error('ready without a verified host key'));
      settle(() => {
        const software = softwareOf(progress.heard);
        resolve(new SshConnection(client, socket, target, accepted, firstContact, software));
      });
    });
    client.on('banner', (text) => {
      progress.banner = `${progress.banner}${text}`.slice(0, MAX_BANNER);
    });
    // Offer only the key, and at once: asking with 'none' first costs a round trip and one of the server's allowed
    // attempts.
    const offers = signaturesToOffer(key);
    const byKey = ((left: string[] | null, partial: boolean | null) => {
      // The key was right, and is not enough.
      if (partial) progress.alsoWants = left ?? [];
      const next = partial ? undefined : offers.shift();
      return next === undefined ? false : { type: 'publickey', username: target.username, key: next };
    }) as AuthHandlerMiddleware;
    client.connect({
      sock: socket,
      username: target.username,
      authHandler: byKey,
      // Must return undefined: ssh2 takes any other value, even a promise, as "accepted".
      hostVerifier: (blob: Buffer, answer: (accepted: boolean) => void): void => verify(blob, answer),
      algorithms: {
        serverHostKey: signaturesToAskFor(pinned),
        kex: { append: [], prepend: [], remove: CHOSEN_BY_HOST },
      },
      agentForward: false,
      readyTimeout: 0,
      keepaliveInterval: settings.keepaliveMs,
      // ssh2 gives up one interval after the last unanswered probe.
      keepaliveCountMax: 2,
    });
  });
};

/** `SSH-2.0-OpenSSH_9.2p1 Debian-2` -> `OpenSSH_9.2p1 Debian-2`. */
const softwareOf = (heard: string): string => /^SSH-[\d.]+-([^\r\n]*)/m.exec(heard)?.[1] ?? '';

/** The same key with signatures of SHA-512 only. ssh2 takes the name of the algorithm from the type. */
const withSha512 = (key: ParsedKey): ParsedKey =>
  Object.create(key, {
    type: { value: 'rsa-sha2-512' },
    sign: { value: (data: Buffer) => key.sign(data, 'sha512') },
  }) as ParsedKey;

/**
 * The key in the forms to offer, one after the other. For an RSA key, ssh2 offers one algorithm only: SHA-256 where the
 * server knows it, even if the server accepts only SHA-512.
 */
const signaturesToOffer = (key: ParsedKey): ParsedKey[] =>
  key.type === 'ssh-rsa' ? [key, withSha512(key)] : [key];

const HOUR_MS = 3_600_000;

/**
 * Opened keys, until nobody has connected with them for an hour. Without this, every connection of a fleet would open
 * its locked key again, in JavaScript, which takes seconds for one that `ssh-keygen -a 64` made.
 */
const opened = new LRUCache<string, Promise<ParsedKey>>({ max: 1000, ttl: HOUR_MS, updateAgeOnGet: true });

/** The key, ready to sign with. It is kept only in memory. @throws SshFailure */
export const signingKey = (text: string, passphrase?: string): Promise<ParsedKey> => {
  const id = createHash('sha256')
    .update(JSON.stringify([text, passphrase]))
    .digest('hex');
  const known = opened.get(id);
  if (known) return known;
  const opening = unlockPrivateKey(text, passphrase);
  opened.set(id, opening);
  opening.catch(() => opened.delete(id));
  return opening;
};
