/** One piece of work for a server. */
export interface RemoteWork {
  /** Where it lies on the server. Work of one name is started once only, whoever asks and how often. */
  name: string;
  /** POSIX sh. `report name value` and `changed 'installed nginx'` tell what it found and did. */
  script: string;
  args: readonly string[];
  /** As root: through `sudo -n` where the account is not root. */
  privileged: boolean;
}

export interface FollowOptions {
  /** The byte of the output from which to follow. Any but the first means that the work was started before. */
  from: number;
  /** It may have been started before, so a server that cannot be reached now is waited for. */
  resumed?: boolean;
  /** It is followed where it was started, and not started where it was not. */
  followOnly?: boolean;
  /** The bytes in their order, each once. While a returned promise is pending, the server is held back. */
  onOutput(bytes: Buffer): void | Promise<void>;
  /** Aborting ends the work on the server. */
  cancel: AbortSignal;
  /** Aborting ends the following; the work goes on. */
  leave: AbortSignal;
  /** Milliseconds since the epoch: what runs by then is ended. */
  deadline: number;
  /** The server was lost, or is followed again. */
  onConnection?(lost: boolean, why?: string): void;
}

export type RemoteEnd = (
  | { is: 'exited'; exitCode: number }
  | { is: 'cancelled' | 'timedOut'; mayStillRun: boolean }
  | { is: 'lost'; why: 'rebooted' | 'vanished' | 'neverStarted'; reason: string }
  | { is: 'left' }
) & { report: Record<string, string> };

export interface DetachedSettings {
  /** The longest pause between two attempts to reach a lost server. */
  maxPauseMs: number;
  /** How long to try to end work on a server that cannot be reached. */
  endPatienceMs: number;
  /** One start in so many also removes what was left behind on the server long ago, which takes processes there. */
  sweepsOneIn: number;
}
