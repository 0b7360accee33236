import type { SshConnection } from './connection';
import { SshFailure } from './failure';
import { openConnection } from './open-connection';
import type { PoolSettings } from './pool-settings';
import endGroup from './end-group.sh';
import type { RemoteGroup } from './remote-shell';
import { shell } from './shell';
import { type EndGroup, runScript } from './run-script';
import type { SshTarget } from './target';

const endGroupOf = shell(endGroup, []);

/** TERM, 2 s, KILL, 2 s, and the round trip. */
const endGroupMs = 8000;

const endOver = async (connection: SshConnection, group: RemoteGroup, startMs: number): Promise<boolean> => {
  const command = { ...endGroupOf({}, [group]), timeoutMs: endGroupMs, onOutput: () => undefined };
  const { exitCode } = await runScript(connection, command, startMs, () => Promise.resolve(false));
  return exitCode === 0;
};

/**
 * A channel cannot end a command by itself: sshd ignores signal requests for root, and closing the channel or the
 * connection does not affect a command without a terminal. So a second channel ends it, or a second connection if the
 * server gives no second channel.
 */
export const endRemoteGroup = (
  connection: SshConnection,
  target: SshTarget,
  settings: PoolSettings,
): EndGroup => {
  const end = async (group: RemoteGroup): Promise<boolean> => {
    const startMs = Math.min(settings.readyTimeoutMs, endGroupMs);
    if (connection.usable || !connection.failure) {
      try {
        return await endOver(connection, group, startMs);
      } catch {
        // No second session, or the connection is gone.
      }
    }
    const sameHost = async (key: { fingerprint: string }): Promise<boolean> => {
      if (key.fingerprint === connection.hostKey.fingerprint) return false;
      throw new SshFailure('hostKeyChanged', 'Another host answers at this address now.');
    };
    const second = await openConnection(target, connection.hostKey, sameHost, {
      ...settings,
      readyTimeoutMs: startMs,
    });
    try {
      return await endOver(second, group, startMs);
    } finally {
      second.end();
    }
  };
  return async (group) => {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), 2 * endGroupMs);
    });
    try {
      return await Promise.race([end(group), patience]);
    } finally {
      clearTimeout(timer);
    }
  };
};
