import type { ShellCommand } from './shell';

/** The public key that identifies a host. */
export interface HostKey {
  /** Type of the key, such as `ssh-ed25519` or `ssh-rsa`. */
  algorithm: string;
  /** `SHA256:…`, as printed by `ssh-keygen -l`. */
  fingerprint: string;
}

export interface SshTarget {
  /** Id of the server: each server has one pooled connection. */
  id: string;
  host: string;
  port: number;
  username: string;
  privateKey: string;
  passphrase?: string;
  /** Changes with the private key: a connection made with an older key is not reused. */
  keyVersion: string;
  /** The pinned key; absent before the first contact. */
  hostKey?: HostKey;
  /** Another key was refused since, so it is reported if the host shows the pinned one again. */
  hostKeyDoubted?: boolean;
}

/** An address as the server sees it. */
export interface ForwardTo {
  host: string;
  port: number;
}

export type OutputStream = 'out' | 'err';

interface CommandBase extends ShellCommand {
  timeoutMs: number;
  /** A command that prints more is ended. Default: 256 MB; none if it only watches, for which time is the limit. */
  maxBytes?: number;
  /** Aborting ends the remote process group. */
  signal?: AbortSignal;
  /**
   * Does not wait for a place among the host's commands: some sessions are reserved to end commands that occupy the
   * others.
   */
  urgent?: boolean;
  /** Runs as root: through `sudo -n` if the account is not root. */
  privileged?: boolean;
  /**
   * The script only watches: its file descriptor 5 stays open as long as we are connected, and the script exits when it
   * closes. An abort or the time-out closes it instead of ending the remote group, and drops output that is still in
   * transit.
   */
  watches?: boolean;
}

/** While a returned promise is pending, no more output is read from the server. A rejection ends the command. */
export interface RemoteCommand extends CommandBase {
  onOutput(stream: OutputStream, text: string): void | Promise<void>;
}

/** The same with raw bytes. */
export interface ByteCommand extends CommandBase {
  onBytes(stream: OutputStream, bytes: Buffer): void | Promise<void>;
}

export interface RemoteResult {
  exitCode?: number;
  /** Such as `SIGTERM`, if a signal ended the script. */
  signal?: string;
  timedOut: boolean;
  aborted: boolean;
  /** After a time-out or abort, the end of the remote processes was not seen: they may still run. */
  mayStillRun: boolean;
  durationMs: number;
}
