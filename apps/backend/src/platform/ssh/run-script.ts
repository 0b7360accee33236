import type { ClientChannel } from 'ssh2';
import type { SshConnection } from './connection';
import { SshFailure } from './failure';
import { OutputQueue, textConsumer } from './output-queue';
import { awaitDuty, braced, bracedWatch, type RemoteGroup, shellCommand, withoutNoise } from './remote-shell';
import type { ByteCommand, OutputStream, RemoteCommand, RemoteResult } from './target';

/** Ends a remote process group over a separate channel. False if its end was not seen. */
export type EndGroup = (group: RemoteGroup) => Promise<boolean>;

/** Nothing of the script was sent: it is safe to try again. */
export class NothingSent extends Error {
  constructor(readonly reason: unknown) {
    super('nothing was sent');
  }
}

/** How long the output of an ended script may stay open and silent, for example because of a daemon that it started. */
const lingerMs = 2000;
/** The same limit for open output that is not silent. */
const mostAfterwardsMs = 5000;
/** How long a watching script may take to end after its input was closed. */
const farewellMs = 1000;
/** Of a command that names no limit: four times what is kept of a run's output. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Runs a script over one connection. Rejects with `NothingSent` if the script was not sent. */
export const runScript = async (
  connection: SshConnection,
  command: RemoteCommand | ByteCommand,
  startMs: number,
  endGroup: EndGroup,
): Promise<RemoteResult> => {
  const script = (command.watches ? bracedWatch : braced)(command);
  let channel: ClientChannel;
  let duty: Awaited<ReturnType<typeof awaitDuty>>;
  try {
    channel = await connection.start(shellCommand);
    const { username, host } = connection.target;
    const asRoot = command.privileged === true && username !== 'root';
    duty = await awaitDuty(channel, `${username} on ${host}`, startMs, { signal: command.signal, asRoot });
  } catch (error) {
    throw new NothingSent(connection.failure ?? error);
  }
  return new ScriptRun(connection, channel, duty.group, command, endGroup).follow(script, duty.rest);
};

class ScriptRun {
  private readonly queue: OutputQueue;
  private readonly startedAt = performance.now();
  private lastOutputAt = this.startedAt;
  private outputBytes = 0;
  private exit: { exitCode?: number; signal?: string } | undefined;
  private exitedAt = Infinity;
  private why: 'timedOut' | 'aborted' | 'consumerFailed' | 'tooLong' | undefined;
  private stopping: Promise<void> = Promise.resolve();
  private stopped = false;
  private seenToEnd = false;
  private finish: () => void = () => undefined;

  constructor(
    private readonly connection: SshConnection,
    private readonly channel: ClientChannel,
    private readonly group: RemoteGroup,
    private readonly command: RemoteCommand | ByteCommand,
    private readonly endGroup: EndGroup,
  ) {
    const flow = {
      pause: () => void (channel.pause(), channel.stderr.pause()),
      resume: () => void (channel.resume(), channel.stderr.resume()),
    };
    const consumer = 'onBytes' in command ? { take: command.onBytes } : textConsumer(command.onOutput);
    this.queue = new OutputQueue(consumer, flow, () => this.stop('consumerFailed'));
  }

  async follow(script: string, rest: Record<OutputStream, Buffer>): Promise<RemoteResult> {
    const { channel, command } = this;
    const onAbort = (): void => this.stop('aborted');
    const timer = setTimeout(() => this.stop('timedOut'), command.timeoutMs);
    const linger = setInterval(() => this.leaveSilence(), lingerMs / 4);
    command.signal?.addEventListener('abort', onAbort);
    if (command.signal?.aborted) onAbort();
    try {
      const closed = this.untilClosed();
      this.take('out', rest.out);
      this.take('err', rest.err);
      channel.on('data', (bytes: Buffer) => this.take('out', bytes));
      channel.stderr.on('data', (bytes: Buffer) => this.take('err', bytes));
      channel.resume();
      channel.stderr.resume();
      if (command.watches) channel.write(script);
      else channel.end(script);
      await closed;
      if (command.watches) await this.queue.end();
    } finally {
      clearTimeout(timer);
      clearInterval(linger);
      command.signal?.removeEventListener('abort', onAbort);
    }
    const durationMs = Math.round(performance.now() - this.startedAt);
    await this.stopping;
    await this.queue.end();
    return this.result(durationMs);
  }

  private take(stream: OutputStream, bytes: Buffer): void {
    if (this.command.watches && this.why) return;
    this.lastOutputAt = performance.now();
    this.outputBytes += bytes.length;
    if (this.outputBytes > this.maxBytes) return this.stop('tooLong');
    // What sudo says may arrive after the shell that it has started has answered.
    const isSudos = stream === 'err' && this.command.privileged;
    this.queue.push(stream, isSudos ? withoutNoise(bytes) : bytes);
  }

  /** The exit code may come before or after the last output, so wait for the end of both streams and of the channel. */
  private untilClosed(): Promise<void> {
    const { channel } = this;
    const once = (emitter: NodeJS.EventEmitter, name: string): Promise<void> =>
      new Promise((resolve) => emitter.once(name, () => resolve()));
    const onEnd = (code: number | null | undefined, signal?: string): void => {
      if (typeof code === 'number') this.exit = { exitCode: code };
      else if (signal) this.exit = { signal };
      if (this.exit) this.exitedAt = Math.min(this.exitedAt, performance.now());
    };
    channel.on('exit', onEnd).on('close', onEnd);
    const ends = Promise.all([once(channel, 'end'), once(channel.stderr, 'end'), once(channel, 'close')]);
    const finished = new Promise<void>((resolve) => {
      this.finish = () => {
        channel.removeAllListeners('data').resume();
        channel.stderr.removeAllListeners('data').resume();
        channel.close();
        resolve();
      };
    });
    return Promise.race([ends.then(() => undefined), finished]);
  }

  private leaveSilence(): void {
    const over = this.why ? this.stopped : this.exit;
    if (!over) return;
    const now = performance.now();
    const isSilent = this.queue.idle && now - this.lastOutputAt > lingerMs;
    if (isSilent || now - this.exitedAt > mostAfterwardsMs) this.finish();
  }

  private get maxBytes(): number {
    return this.command.maxBytes ?? (this.command.watches ? Infinity : MAX_OUTPUT_BYTES);
  }

  private stop(why: 'timedOut' | 'aborted' | 'consumerFailed' | 'tooLong'): void {
    const { watches } = this.command;
    if (this.why || (this.exit && !watches)) return;
    this.why = why;
    if (watches) return this.sendAway();
    this.stopping = this.endGroup(this.group)
      .catch(() => false)
      .then((ended) => {
        this.seenToEnd = ended;
        this.stopped = true;
      });
  }

  /** The script ends by itself when its input closes. Do not wait for a server that is gone. */
  private sendAway(): void {
    this.queue.drop();
    this.seenToEnd = true;
    this.channel.end();
    setTimeout(() => this.finish(), farewellMs).unref();
  }

  private result(durationMs: number): RemoteResult {
    if (this.why === 'tooLong')
      throw new SshFailure(
        'outputTooLong',
        `The command on ${this.connection.target.host} printed more than ${this.maxBytes} bytes, and was ended.`,
        { sent: true },
      );
    const asked = this.why !== undefined;
    if (!this.exit && !asked) {
      const { failure, target } = this.connection;
      throw new SshFailure(
        failure?.code ?? 'connectionLost',
        `${failure?.message ?? `${target.host} closed the connection.`} The command had been sent: whether it came to ` +
          'its end is not known.',
        { cause: failure, sent: true },
      );
    }
    return {
      ...this.exit,
      timedOut: this.why === 'timedOut',
      aborted: this.why === 'aborted',
      mayStillRun: asked && !this.seenToEnd,
      durationMs,
    };
  }
}
