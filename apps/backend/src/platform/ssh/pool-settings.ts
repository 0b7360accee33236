import type { HostKeyReporter } from './host-key-memory';

export interface PoolSettings {
  /** Open connections in all. When they are used up, the one that has been idle longest makes room. */
  maxConnections: number;
  /** Connections being set up at one time: the key exchange costs processor time on both sides. */
  maxConnecting: number;
  /** Of these, to one address: from the tenth newcomer on, sshd turns some away (MaxStartups 10:30:100). */
  maxConnectingToOne: number;
  /** Commands at one time on one host; sshd's own limit (MaxSessions) is 10 by default, and ending a command takes one. */
  perHostChannels: number;
  /** Commands that may wait for one host, or connections for the whole pool, before `busy` is the answer. */
  perHostWaiting: number;
  maxWaiting: number;
  maxWaitMs: number;
  /** For each of: greeting and key exchange, authentication, the login shell. */
  readyTimeoutMs: number;
  keepaliveMs: number;
  idleMs: number;
  /**
   * Must resolve before the connection goes on. Rejecting on `first` refuses the host: what could not be recorded has
   * not happened, and its error is what the caller of `exec` or `contact` gets. A changed key is refused either way, and
   * one that returned is taken.
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
