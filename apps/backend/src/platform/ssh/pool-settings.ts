import type { HostKeyReporter } from './host-key-memory';

export interface PoolSettings {
  /** Maximum number of open connections. If all are used, the one that has been idle longest is closed. */
  maxConnections: number;
  /** How many connections are set up at once: the key exchange costs processor time on both sides. */
  maxConnecting: number;
  /**
   * Of these, how many to one address: with ten pending connections, sshd starts to reject some (MaxStartups
   * 10:30:100).
   */
  maxConnectingToOne: number;
  /** Concurrent commands per host. sshd's own limit (MaxSessions) is 10 by default, and ending a command needs one. */
  perHostChannels: number;
  /** How many commands may wait for one host, or connections for the whole pool, before the answer is `busy`. */
  perHostWaiting: number;
  maxWaiting: number;
  maxWaitMs: number;
  /** Applies to each of: greeting and key exchange, authentication, the login shell. */
  readyTimeoutMs: number;
  keepaliveMs: number;
  idleMs: number;
  /**
   * Must resolve before the connection continues. Rejecting on `first` refuses the host: a first contact that could not
   * be recorded does not count, and the caller of `exec` or `contact` gets the error. A changed key is always refused,
   * and a returned key always accepted.
   */
  onHostKey: HostKeyReporter;
}

export const defaultPoolSettings = {
  maxConnections: 200,
  maxConnecting: 25,
  maxConnectingToOne: 8,
  perHostChannels: 8,
  perHostWaiting: 64,
  maxWaiting: 1000,
  maxWaitMs: 60_000,
  readyTimeoutMs: 15_000,
  keepaliveMs: 5000,
  idleMs: 60_000,
} satisfies Omit<PoolSettings, 'onHostKey'>;

export type SshPoolOptions = Partial<PoolSettings> & Pick<PoolSettings, 'onHostKey'>;
