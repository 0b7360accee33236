import type { SshPool } from '../pool';
import { quote } from '../quote';
import { settingOf } from '../shell';
import type { SshTarget } from '../target';
import { Following } from './following';
import { detachedScripts } from './scripts';
import { newNonce } from '../remote-shell';
import type { DetachedSettings, FollowOptions, RemoteEnd, RemoteWork } from './types';

const defaultSettings: DetachedSettings = { maxPauseMs: 5000, endPatienceMs: 20_000, sweepsOneIn: 16 };
const cleanMs = 30_000;

const checkName = (name: string): void => {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(name))
    throw new RangeError(`"${name}" cannot be the name of work on a server.`);
};

export type TargetSource = SshTarget | (() => Promise<SshTarget>);
const asSource = (target: TargetSource) => (typeof target === 'function' ? target : async () => target);

/**
 * Work that continues on its server whatever happens to us or to the connection: it has its own session there, its
 * output and exit code go to files, and we follow those. It is started at most once.
 */
export class DetachedWork {
  private readonly settings: DetachedSettings;

  constructor(
    private readonly pool: SshPool,
    settings: Partial<DetachedSettings> = {},
  ) {
    this.settings = { ...defaultSettings, ...settings };
  }

  /**
   * Starts the work unless it was started before, follows it to its end across lost connections, and returns how it
   * ended. Rejects with `SshFailure` if it cannot have been started, and with any error of `onOutput`.
   */
  async run(target: TargetSource, work: RemoteWork, options: FollowOptions): Promise<RemoteEnd> {
    checkName(work.name);
    // Throws for text that cannot be an argument, before anything is sent to the server.
    quote(work.script);
    const setArguments = settingOf(work);
    return new Following(
      this.pool,
      asSource(target),
      { ...work, setArguments },
      options,
      this.settings,
    ).run();
  }

  /** Removes the files of ended work from the server. Never throws; returns false if it could not. */
  async clean(target: TargetSource, work: Pick<RemoteWork, 'name' | 'privileged'>): Promise<boolean> {
    try {
      checkName(work.name);
      const { exitCode } = await this.pool.exec(await asSource(target)(), {
        ...detachedScripts.clean({ name: work.name, word: newNonce() }),
        privileged: work.privileged,
        timeoutMs: cleanMs,
        onBytes: () => undefined,
      });
      return exitCode === 0;
    } catch {
      return false;
    }
  }
}
