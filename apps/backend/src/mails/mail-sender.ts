/** Sends e-mails of the console's own through the mail server of a workspace. They hold secrets, so nothing keeps them. */
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { DomainError } from '../platform/errors';
import { Outbound } from '../platform/outbound';
import { threads } from '../platform/threads';
import { messageOf } from './mail.jobs';
import { handOver } from './mail-sending';
import { MailServers } from './mail-server';

interface OwnMail {
  readonly from: string;
  readonly to: string | readonly string[];
  readonly subject: string;
  readonly body: string;
  /** Of its Message-ID, so that a repetition is known as one. */
  readonly id?: string;
}

const AT_ONCE = 3;
const MAX_WAITING = 100;
const TOTAL_MS = 60_000;
const ANSWER_MS = 20_000;

@Injectable()
export class MailSender {
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly servers: MailServers,
    private readonly outbound: Outbound,
  ) {}

  /** Whether the workspace has a mail server. */
  async canSend(workspace: string): Promise<boolean> {
    try {
      await this.servers.of(workspace);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unprocessable') return false;
      throw error;
    }
  }

  /**
   * @returns what the server answered, and whom it did not accept
   * @throws Error with the reason, unless the server has accepted it for somebody
   */
  async send(mail: OwnMail, workspace: string): Promise<string> {
    if (this.underWay < AT_ONCE) this.underWay += 1;
    else {
      if (this.waiting.length >= MAX_WAITING) throw new Error('too many e-mails wait to be sent');
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await this.handOver(mail, workspace);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.underWay -= 1;
    }
  }

  private async handOver(
    { from, to, subject, body, id = uuidv7() }: OwnMail,
    workspace: string,
  ): Promise<string> {
    const server = await this.servers.of(workspace);
    const recipients = [to].flat();
    const message = { from, recipients, subject, body, at: new Date().toISOString(), id };
    const raw = Buffer.from(await threads.run(messageOf, message));
    const outcome = await handOver(
      this.outbound,
      server,
      { raw, envelope: { from, recipients } },
      { signal: AbortSignal.timeout(TOTAL_MS), handing: async () => undefined, answerMs: ANSWER_MS },
    );
    const refused = outcome.is === 'accepted' ? outcome.refused : recipients;
    if (refused.length === recipients.length)
      throw new Error(`the mail server did not accept it (${outcome.is}): ${outcome.words}`);
    return refused.length === 0 ? outcome.words : `${outcome.words}; not accepted for ${refused.join(', ')}`;
  }
}
