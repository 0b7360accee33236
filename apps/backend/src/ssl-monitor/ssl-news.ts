/**
 * Pushes the progress of SSL runs to open consoles, a few times a second. The last message always has the current
 * state.
 */
import type { SslMonitorStatus } from '@quarterdeck/projections';
import type { LiveMessages } from '../platform/live';

export const SSL_MESSAGE = 'ssl';
const EVERY_MS = 200;

export class SslNews {
  private readonly waiting = new Map<string, SslMonitorStatus>();
  private timer: NodeJS.Timeout | undefined;
  /** One after the other: with two connections to the database, the later message might arrive first. */
  private sent = Promise.resolve();

  constructor(
    private readonly messages: Pick<LiveMessages, 'send'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  tell(workspace: string, status: SslMonitorStatus): void {
    this.waiting.set(workspace, status);
    this.timer ??= setTimeout(() => this.flush(), EVERY_MS);
  }

  /** Sends waiting messages now. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.flush();
    await this.sent;
  }

  private flush(): void {
    this.timer = undefined;
    const messages = [...this.waiting].map(([workspace, body]) => ({
      workspace,
      body,
      audience: 'admin' as const,
      name: SSL_MESSAGE,
    }));
    this.waiting.clear();
    this.sent = this.sent.then(() => this.messages.send(messages)).catch(this.onFault);
  }
}
