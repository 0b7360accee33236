import { plain, SshFailure } from './failure';
import type { SshTarget } from './target';

/** How far a connection got before it failed. */
export interface Progress {
  phase: 'connecting' | 'greeting' | 'hostKey' | 'authentication';
  /** The first bytes from the other side. */
  heard: string;
  /** What it sent for the person who signs in. */
  banner: string;
  /** The key was accepted, and these methods are asked for in addition. */
  alsoWants?: readonly string[];
}

interface ReportedError {
  message: string;
  code?: string;
  /** Part of ssh2 that reported the error. */
  level?: string;
}

const socketFailure = (code: string | undefined, at: string, host: string): SshFailure | undefined => {
  switch (code) {
    case 'ECONNREFUSED':
      return new SshFailure(
        'refused',
        `Nothing listens at ${at}: the connection was refused. Check host and port, and that sshd runs there.`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
      return new SshFailure(
        'unknownHost',
        `The name ${host} could not be found. Check its spelling and its DNS record.`,
      );
    case 'ETIMEDOUT':
      return new SshFailure(
        'timeout',
        `${at} did not answer. Check that the host is up and no firewall drops the port.`,
      );
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
    case 'ENETDOWN':
    case 'EACCES':
    case 'EPERM':
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new SshFailure(
        'unreachable',
        `There is no route to ${at} from here (${code}). Check the address, routes and firewalls.`,
      );
    default:
      return undefined;
  }
};

const greetingFailure = (heard: string, at: string): SshFailure => {
  const line = heard
    .split(/\r?\n/, 1)[0]
    ?.replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 60);
  if (/^Exceeded MaxStartups|^Not allowed at this time/.test(heard)) {
    return new SshFailure(
      'busy',
      `${at} refuses new connections for now ("${line}"). Try again in a moment.`,
    );
  }
  if (line) {
    return new SshFailure(
      'notSsh',
      `The service at ${at} is not an SSH server: it answered "${line}". Check the port.`,
    );
  }
  return new SshFailure(
    'notSsh',
    `${at} closed the connection without a greeting. Check that the port is an SSH server's, and that it does not ` +
      'ban this address (MaxStartups, fail2ban, hosts.deny).',
  );
};

const MAX_SAID = 500;

/** What the server told the person who signs in. */
const said = ({ banner }: Progress): string => {
  const text = plain(banner).trim().replaceAll(/\s+/g, ' ');
  return text === '' ? '' : ` It said: "${text.slice(0, MAX_SAID)}"`;
};

const methods: Readonly<Record<string, string>> = {
  password: 'a password',
  'keyboard-interactive': 'a code or another answer (keyboard-interactive)',
  publickey: 'a second key',
};

const refused = (target: SshTarget, progress: Progress): SshFailure => {
  const { host, username } = target;
  if (progress.alsoWants) {
    const wanted = progress.alsoWants.map((method) => methods[method] ?? method).join(' or ');
    return new SshFailure(
      'authentication',
      `${host} accepted the key for the user ${username}, but also wants ${wanted || 'something else'}. This console can ` +
        `only use a key. Let this user sign in with the key alone: AuthenticationMethods publickey in sshd_config, ` +
        `below Match User ${username}.${said(progress)}`,
    );
  }
  return new SshFailure(
    'authentication',
    `${host} did not accept the key for the user ${username}. Check the username, and that the public ` +
      `half of the key is in that user's ~/.ssh/authorized_keys on the server.${said(progress)}`,
  );
};

const lostFailure = (progress: Progress, at: string): SshFailure =>
  progress.phase === 'authentication'
    ? progress.banner.trim() === ''
      ? new SshFailure(
          'connectionLost',
          `${at} closed the connection during authentication. Nothing was run. Try again.`,
        )
      : new SshFailure(
          'authentication',
          `${at} closed the connection during authentication.${said(progress)} Nothing was run.`,
        )
    : new SshFailure(
        'connectionLost',
        `The connection to ${at} broke while it was being set up. Nothing was run. Try again.`,
      );

export const readyTimeout = (target: SshTarget, progress: Progress, afterMs: number): SshFailure => {
  const at = `${target.host} port ${target.port}`;
  const seconds = `${Math.round(afterMs / 100) / 10} s`;
  const what = {
    connecting: `${at} did not answer within ${seconds}. Check that the host is up and no firewall drops the port.`,
    greeting: `${at} accepted the connection but did not complete an SSH greeting within ${seconds}. Check that the port is an SSH server's and the host is not overloaded.`,
    hostKey: `${at} did not complete the key exchange within ${seconds}. Check that the host is not overloaded.`,
    authentication: `${at} did not finish the authentication within ${seconds}. Check that the host is not overloaded.`,
  }[progress.phase];
  return new SshFailure('timeout', what);
};

/** Explains an error of ssh2 or the socket before the connection was ready. */
export const connectFailure = (
  error: ReportedError | undefined,
  target: SshTarget,
  progress: Progress,
): SshFailure => {
  const at = `${target.host} port ${target.port}`;
  if (!error) return lostFailure(progress, at);
  const early = progress.phase === 'connecting' || progress.phase === 'greeting';
  if (progress.phase === 'connecting') {
    const failure = socketFailure(error.code, at, target.host);
    if (failure) return failure;
    return new SshFailure(
      'unreachable',
      `${at} could not be reached (${error.message}). Check host and port.`,
    );
  }
  if (error.level === 'client-authentication' || progress.phase === 'authentication') {
    if (error.level === 'client-socket') return lostFailure(progress, at);
    return refused(target, progress);
  }
  if (early && !progress.heard.startsWith('SSH-')) return greetingFailure(progress.heard, at);
  if (/no matching/i.test(error.message)) {
    return new SshFailure(
      'notSsh',
      `${at} and this console have no SSH algorithm in common (${error.message}).${wayOut(error.message)}`,
    );
  }
  return lostFailure(progress, at);
};

/** By what is missing: a line of sshd_config that allows one that this console has. */
const lines: readonly (readonly [RegExp, string])[] = [
  [/key exchange/, 'KexAlgorithms +curve25519-sha256'],
  [/host key/, 'HostKeyAlgorithms +ssh-ed25519'],
  [/cipher/, 'Ciphers +aes256-ctr'],
  [/MAC/, 'MACs +hmac-sha2-256'],
];

/** Neither side need be too old: a server may allow only what is newer than this console. */
const wayOut = (said: string): string => {
  const line = lines.find(([missing]) => missing.test(said))?.[1];
  const newer = /key exchange/.test(said) ? ' This console has no post-quantum key exchange yet.' : '';
  return line === undefined ? '' : `${newer} Allow one in the server's sshd_config, such as ${line}.`;
};
