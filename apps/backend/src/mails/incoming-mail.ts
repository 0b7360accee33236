/** Messages while they come in over SMTP: each is kept in memory until it is stored, and all of them together are bounded. */
import type { SMTPServerDataStream } from 'smtp-server';
import { type MailRoom, NO_ROOM } from './mail-room';
import { MAX_MAIL_BYTES } from './mails';

/** A client that sends more than this in one e-mail would never stop: it is not read to its end. */
const MAX_READ_BYTES = 10 * MAX_MAIL_BYTES;

/** The reply of the protocol. 4xx: the sender tries again; 5xx: it does not. */
export class Reply extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

export class IncomingMail {
  private parts: Buffer[] = [];
  private bytes = 0;
  private refusal: Reply | undefined;

  constructor(private readonly room: MailRoom) {}

  /**
   * Reads all of it, also of one that is refused: a client hears the refusal only after its last byte.
   * @throws Reply
   */
  async read(stream: SMTPServerDataStream, end: () => void): Promise<Buffer> {
    let read = 0;
    for await (const part of stream as AsyncIterable<Buffer>) {
      read += part.length;
      if (read > MAX_READ_BYTES) end();
      if (!this.refusal) this.keep(part);
    }
    if (this.refusal) throw this.refusal;
    return Buffer.concat(this.parts);
  }

  /** To be called when the message is stored or refused. */
  free(): void {
    this.room.free(this.bytes);
    [this.parts, this.bytes] = [[], 0];
  }

  private keep(part: Buffer): void {
    if (this.bytes + part.length > MAX_MAIL_BYTES)
      return this.refuse(new Reply(552, `an e-mail has at most ${MAX_MAIL_BYTES} bytes`));
    if (!this.room.take(part.length)) return this.refuse(new Reply(452, NO_ROOM));
    this.parts.push(part);
    this.bytes += part.length;
  }

  private refuse(reply: Reply): void {
    this.refusal = reply;
    this.free();
  }
}
