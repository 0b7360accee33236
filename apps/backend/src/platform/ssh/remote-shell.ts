import { randomBytes } from 'node:crypto';
import type { ClientChannel } from 'ssh2';
import { SshFailure } from './failure';
import { settingOf, type ShellCommand } from './shell';

/**
 * How a script runs on a host, whatever the account's login shell is.
 *
 * sshd passes the command line to the login shell, and sh, csh and fish differ in quoting. So the command line is this
 * constant, which means the same in all of them. Everything else goes to the standard input of a POSIX shell: the
 * arguments are quoted for that shell only, and neither script nor arguments appear in `ps`.
 *
 * `exec` replaces the login shell with that shell, so that it leads the process group that sshd created for the
 * command. Killing that group ends the command with everything it started.
 */
export const shellCommand = 'exec /bin/sh -s';

/**
 * What to kill to end a script: its process group in `kill` syntax, `-123`, or the shell, `123`, if it leads no group.
 */
export type RemoteGroup = string;

/**
 * The shell first has to report that it is ready, with its group. The script is sent only after that. So output of a
 * profile, an account that runs nothing (nologin, ForceCommand) and a host that hangs can be told apart from the
 * script's output, and nothing of ours can have run before.
 */
export const reportForDuty = (nonce: string): string =>
  [
    // The process group is the fifth field of stat, the third one after the name in parentheses. Reading it needs no
    // fork.
    'read -r qd 2>/dev/null </proc/$$/stat && set -- ${qd##*)} || set -- - - $(ps -o pgid= -p $$ 2>/dev/null)',
    `[ "$3" = $$ ] && qd=-$$ || qd=$$; printf '::quarterdeck %s %s::\\n' ${nonce} "$qd"; unset qd`,
    '',
  ].join('\n');

/**
 * The shell reads the whole line before it runs any of it, so text sent after the answer reaches root's shell.
 * Everything goes through standard input: sudo's own log shows only the name of the shell.
 */
const becomeRoot = (nonce: string): string =>
  `printf '::quarterdeck %s %s::\\n' ${nonce} $$; [ "$(id -u)" = 0 ] || exec sudo -n /bin/sh -s\n`;

export const newNonce = (): string => randomBytes(8).toString('hex');

/** The shell reads a braced block to its end before it runs any of it, so a script cut off in transit does nothing. */
export const braced = (command: ShellCommand): string =>
  `${settingOf(command)}{\n${command.script}\n} </dev/null\n`;

/** The same, with our input stream as file descriptor 5. */
export const bracedWatch = (command: ShellCommand): string =>
  `${settingOf(command)}{\n${command.script}\n} 5<&0 </dev/null\n`;

const maxNoise = 16 * 1024;

interface Duty {
  group: RemoteGroup;
  /** Output that arrived with and after the report and belongs to the script. */
  rest: { out: Buffer; err: Buffer };
}

/** sudo says so at every call on a host whose own name it cannot resolve. It is no output of the script. */
const SUDO_NOISE = /^sudo: unable to resolve host [^\n]*\n/gm;

export const withoutNoise = (err: Buffer): Buffer =>
  err.includes('sudo: unable to resolve host')
    ? Buffer.from(err.toString('latin1').replace(SUDO_NOISE, ''), 'latin1')
    : err;

interface Ask {
  line(nonce: string): string;
  /** Explains why the shell ended instead of answering. */
  refused(account: string, said: string): string;
}

const askForDuty: Ask = {
  line: reportForDuty,
  refused: (account, said) =>
    `${account} was accepted but does not run commands: ${said}. ` +
    "Check the account's login shell and forced commands. Nothing was run.",
};
const askRootForDuty: Ask = {
  line: reportForDuty,
  refused: (account, said) =>
    `${account} may not run commands as root: ${said}. It needs a sudo that asks for no password (NOPASSWD in ` +
    'sudoers). Nothing was run.',
};

/** Waits until a shell is ready for the script, root's if needed. Rejects if the account does not provide one. */
export const awaitDuty = async (
  channel: ClientChannel,
  account: string,
  afterMs: number,
  { signal, asRoot = false }: { signal?: AbortSignal | undefined; asRoot?: boolean },
): Promise<Duty> => {
  // Listens during both steps: a sudo that refuses at once ends the shell together with the first answer.
  const shell: Shell = { channel, account, exit: '' };
  const onExit = (code: number | null, name?: string): void => {
    shell.exit = exitInWords(code, name);
  };
  channel.on('exit', onExit);
  try {
    if (!asRoot) return await answerTo(askForDuty, shell, afterMs, signal);
    await answerTo({ ...askForDuty, line: becomeRoot }, shell, afterMs, signal);
    return await answerTo(askRootForDuty, shell, afterMs, signal);
  } finally {
    channel.off('exit', onExit);
  }
};

/** Empty if the connection ended, not the shell. */
const exitInWords = (code: number | null | undefined, signal: string | undefined): string =>
  typeof code === 'number' ? `exit code ${code}` : signal ? `signal ${signal}` : '';

interface Shell {
  channel: ClientChannel;
  account: string;
  /** How the shell ended; empty while it is running. */
  exit: string;
}

const answerTo = (ask: Ask, shell: Shell, afterMs: number, signal?: AbortSignal): Promise<Duty> =>
  new Promise((resolve, reject) => {
    const { channel, account } = shell;
    const nonce = newNonce();
    const report = new RegExp(`::quarterdeck ${nonce} (-?\\d+)::\\n`);
    let out = Buffer.alloc(0);
    let err = Buffer.alloc(0);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      channel.off('data', onOut).off('close', onClose);
      channel.stderr.off('data', onErr);
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const giveUp = (error: unknown): void =>
      settle(() => {
        channel.resume().close();
        channel.stderr.resume();
        reject(error);
      });
    const onOut = (bytes: Buffer): void => {
      out = Buffer.concat([out, bytes]);
      const found = report.exec(out.toString('latin1'));
      const group = found?.[1];
      if (found && group) {
        const rest = { out: out.subarray(found.index + found[0].length), err };
        // The code that follows the script attaches later, so no output may pass before.
        channel.pause();
        channel.stderr.pause();
        settle(() => resolve({ group, rest }));
      } else if (out.length > maxNoise) {
        out = out.subarray(out.length - maxNoise / 2);
      }
    };
    const onErr = (bytes: Buffer): void => {
      if (err.length < maxNoise) err = Buffer.concat([err, bytes]);
    };
    const onClose = (code?: number | null, name?: string): void => {
      // A shell that ends at once may have ended before anybody listened; `close` reports it again.
      shell.exit ||= exitInWords(code, name);
      if (!shell.exit)
        return giveUp(
          new SshFailure('connectionLost', 'The connection was lost before the command was sent.'),
        );
      const said = `${out.toString()}\n${withoutNoise(err).toString()}`
        .trim()
        .replaceAll(/\s+/g, ' ')
        .slice(0, 200);
      const words = ask.refused(account, `${said ? `it said "${said}", ` : ''}${shell.exit}`);
      giveUp(new SshFailure('channelRefused', words));
    };
    const onAbort = (): void => giveUp(signal?.reason);
    const timer = setTimeout(() => {
      const seconds = `${Math.round(afterMs / 100) / 10} s`;
      giveUp(
        new SshFailure(
          'timeout',
          `${account} was accepted, but its login shell was not ready within ${seconds}. Check its profile and forced ` +
            'commands, and the load of the host. Nothing was run.',
        ),
      );
    }, afterMs);
    channel.on('data', onOut).on('close', onClose);
    channel.stderr.on('data', onErr);
    signal?.addEventListener('abort', onAbort);
    channel.write(ask.line(nonce));
    channel.resume();
    channel.stderr.resume();
  });
