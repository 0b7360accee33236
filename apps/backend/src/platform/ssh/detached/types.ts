import type { ShellCommand } from '../shell';

/** One piece of work on a server. */
export interface RemoteWork extends ShellCommand {
  /** Its folder on the server. Work of one name is started only once, however often and by whomever it is requested. */
  name: string;
  /** It reports its results with `report name value` and `changed 'installed nginx'`. */
  script: string;
  /** Runs as root: through `sudo -n` if the account is not root. */
  privileged: boolean;
}

export interface FollowOptions {
  /** The byte of the output to follow from. Any but the first means that the work was started before. */
  from: number;
  /** The work may have been started before, so wait for a server that cannot be reached now. */
  resumed?: boolean;
  /** Only follow the work, do not start it. */
  followOnly?: boolean;
  /** Gets the bytes in order, each once. While a returned promise is pending, the server is held back. */
  onOutput(bytes: Buffer): void | Promise<void>;
  /** Aborting ends the work on the server. */
  cancel: AbortSignal;
  /** Aborting stops following; the work continues. */
  leave: AbortSignal;
  /** Milliseconds since the epoch. Work that runs longer is ended. */
  deadline: number;
  /** The server was lost, or is followed again. */
  onConnection?(lost: boolean, why?: string): void;
}

export type RemoteEnd = (
  | { is: 'exited'; exitCode: number }
  | { is: 'cancelled' | 'timedOut'; mayStillRun: boolean }
  | { is: 'lost'; why: 'rebooted' | 'vanished' | 'neverStarted' | 'connectionLost'; reason: string }
  | { is: 'left' }
) & { report: Record<string, string> };

export interface DetachedSettings {
  /** The longest pause between two attempts to reach a lost server. */
  maxPauseMs: number;
  /** How long to try to end work on a server that cannot be reached. */
  endPatienceMs: number;
  /** One in this many starts also removes old leftovers from the server, which takes extra processes there. */
  sweepsOneIn: number;
}
