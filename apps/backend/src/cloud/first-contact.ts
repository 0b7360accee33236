/** Signs in to a new machine: only if it shows the host key that is expected, from the first byte on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DomainError } from '../platform/errors';
import {
  fixedShell,
  type HostKey,
  publicKeyFacts,
  SshFailure,
  SshPool,
  type SshTarget,
} from '../platform/ssh';
import { type LocalIo, StepFailed } from '../runs';
import type { MachineKey } from './machine-keys';
import firstContact from './shell/first-contact.sh';
import replaceHostKey from './shell/replace-host-key.sh';

const prepare = fixedShell(firstContact);
const replace = fixedShell(replaceHostKey);

const COMMAND_MS = 60_000;
const MAX_BYTES = 64 * 1024;
const PORT = 22;

export interface NewMachineAt {
  run: string;
  host: string;
  login: MachineKey;
}

type Io = Pick<LocalIo, 'print' | 'signal'>;

@Injectable()
export class FirstContact implements OnApplicationShutdown {
  /** A machine boots meanwhile. Tests shorten it. */
  readonly patience = { pauseMs: 3000 };
  private readonly pool = new SshPool({
    onHostKey: () => Promise.reject(new DomainError('forbidden', 'the host key of a new machine is known')),
  });

  /** Signs in as soon as the machine lets us. @returns the new host key that it has made */
  async prepare(at: NewMachineAt, expected: HostKey, io: Io): Promise<HostKey> {
    const printed = await this.patiently(at, [expected], prepare, io);
    const facts = publicKeyFacts(/^hostkey=(.+)$/m.exec(printed)?.[1] ?? '');
    if (!facts) throw new StepFailed('noHostKey', 'The machine did not say its new host key.');
    return { algorithm: facts.algorithm, fingerprint: facts.fingerprint };
  }

  /** Has the machine use its new host key, and proves that it does. */
  async replace(at: NewMachineAt, first: HostKey, next: HostKey, io: Io): Promise<void> {
    // It may use the new one already, if this is done again.
    await this.patiently(at, [first, next], replace, io);
    await this.patiently(at, [next], replace, io);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async patiently(
    at: NewMachineAt,
    keys: readonly HostKey[],
    script: ReturnType<typeof fixedShell>,
    { print, signal }: Io,
  ): Promise<string> {
    let last: SshFailure | undefined;
    for (;;)
      for (const key of keys)
        try {
          return await this.exec(at, key, script, signal);
        } catch (error) {
          if (signal.aborted && last) throw last;
          if (!(error instanceof SshFailure)) throw error;
          // Each reason is printed once, so that the person who watches knows why it takes long.
          if (last?.message !== error.message) print(`Not yet: ${error.message}\n`);
          last = error;
          await sleep(this.patience.pauseMs, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) throw last;
        }
  }

  private async exec(
    { run, host, login }: NewMachineAt,
    hostKey: HostKey,
    script: ReturnType<typeof fixedShell>,
    signal: AbortSignal,
  ): Promise<string> {
    // Connections are pooled by id: one for each key that is expected.
    const target: SshTarget = {
      id: `${run} ${hostKey.fingerprint}`,
      host,
      port: PORT,
      username: 'root',
      privateKey: login.privateKey,
      keyVersion: login.ref,
      hostKey,
    };
    let printed = '';
    try {
      await this.pool.contact(target);
      const { exitCode } = await this.pool.exec(target, {
        ...script,
        timeoutMs: COMMAND_MS,
        maxBytes: MAX_BYTES,
        signal,
        onOutput: (_, text) => void (printed += text),
      });
      if (exitCode !== 0)
        throw new StepFailed('exit', `The machine answered: ${printed.trim().slice(-300) || 'nothing'}`);
      return printed;
    } finally {
      this.pool.forget(target.id);
    }
  }
}
