import { SshFailure } from './failure';
import type { HostKey, SshTarget } from './target';

/** Never seen before; different from the pinned one; the pinned one again after another one was refused. */
export type HostKeyNews = 'first' | 'changed' | 'returned';
export type HostKeyReporter = (target: SshTarget, key: HostKey, what: HostKeyNews) => Promise<void>;

const addressOf = (target: SshTarget): string => `${target.id} ${target.host} ${target.port}`;

/**
 * Decides about host keys. It remembers a first key itself, because a caller may still hold a target from before the
 * pin was recorded. Such a target must not allow a second "first" key.
 */
export class HostKeyMemory {
  private readonly known = new Map<string, HostKey>();
  private readonly recording = new Map<string, Promise<void>>();

  constructor(private readonly report: HostKeyReporter) {}

  expected(target: SshTarget): HostKey | undefined {
    return target.hostKey ?? this.known.get(addressOf(target));
  }

  forget(id: string): void {
    for (const address of this.known.keys()) if (address.startsWith(`${id} `)) this.known.delete(address);
  }

  /**
   * Call it when the host has proved that it holds the key: anybody can show a key. If recording fails, it is retried
   * at the next connection.
   */
  async proved(target: SshTarget, key: HostKey): Promise<void> {
    if (!target.hostKeyDoubted || target.hostKey?.fingerprint !== key.fingerprint) return;
    await this.report(target, key, 'returned').catch(() => undefined);
  }

  /** Resolves to whether this was the first contact; rejects if the host must not be used. */
  async check(target: SshTarget, shown: HostKey): Promise<boolean> {
    const address = addressOf(target);
    // Another connection may be recording the first key of the same host.
    await this.recording.get(address)?.catch(() => undefined);
    const expected = this.expected(target);
    if (!expected) {
      const recording = this.report(target, shown, 'first').then(() => void this.known.set(address, shown));
      this.recording.set(address, recording);
      await recording.finally(() => this.recording.delete(address));
      return true;
    }
    if (expected.fingerprint === shown.fingerprint) return false;
    const cause = await this.report(target, shown, 'changed').catch((error: unknown) => error);
    throw new SshFailure(
      'hostKeyChanged',
      `The server's host key has changed. Nothing was run. Expected ${expected.fingerprint}, got ${shown.fingerprint}. ` +
        'If the server was rebuilt, compare the new key with its owner and accept it; otherwise somebody may ' +
        'be intercepting the connection.',
      { expected, got: shown, cause },
    );
  }
}
