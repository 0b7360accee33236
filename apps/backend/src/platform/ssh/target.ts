/** The public key by which a host is known. */
export interface HostKey {
  /** The type of the key, such as `ssh-ed25519` or `ssh-rsa`. */
  algorithm: string;
  /** `SHA256:…`, as `ssh-keygen -l` prints it. */
  fingerprint: string;
}

export interface SshTarget {
  /** The server's id: one server has one pooled connection. */
  id: string;
  host: string;
  port: number;
  username: string;
  privateKey: string;
  passphrase?: string;
  /** Changes with the private key: a connection made with an older one is not used again. */
  keyVersion: string;
  /** The pinned key; absent before the first contact. */
  hostKey?: HostKey;
  /** Another key was refused since: it is news when the pinned one is shown again. */
  hostKeyDoubted?: boolean;
}

export type OutputStream = 'out' | 'err';

interface CommandBase {
  /** Fixed text of ours, never built from what somebody typed: that goes into `args`. */
  script: string;
  /** The script's positional parameters. */
  args?: string[];
  timeoutMs: number;
  /** Aborting ends the remote process group. */
  signal?: AbortSignal;
  /** Waits for no place among the commands of the host: some sessions are kept free to end what holds the others. */
  urgent?: boolean;
  /** As root: through `sudo -n` where the account is not root. */
  privileged?: boolean;
  /**
   * The script only watches: its file descriptor 5 stays open as long as we are there, and the script ends, with
   * `exit`, when that does. An abort or the time-out closes it, in place of ending the remote group; output that is
   * still on its way then is dropped.
   */
  watches?: boolean;
}

/** While a returned promise is pending, no more output is taken from the server. A rejection ends the command. */
export interface RemoteCommand extends CommandBase {
  onOutput(stream: OutputStream, text: string): void | Promise<void>;
}

/** The same with the bytes as they come. */
export interface ByteCommand extends CommandBase {
  onBytes(stream: OutputStream, bytes: Buffer): void | Promise<void>;
}

export interface RemoteResult {
  exitCode?: number;
  /** Such as `SIGTERM`, when a signal ended the script. */
  signal?: string;
  timedOut: boolean;
  aborted: boolean;
  /** Time-out or abort, and the end of the remote processes was not seen: they may still be at work. */
  mayStillRun: boolean;
  durationMs: number;
}
