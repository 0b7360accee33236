/** Memory for e-mails that come in, over SMTP and by webhook together: each is held until it is stored. */
import { Injectable } from '@nestjs/common';
import { MAX_MAIL_BYTES } from './mails';

export const NO_ROOM = 'too many e-mails come in at the moment, try again later';

@Injectable()
export class MailRoom {
  held = 0;
  maxHeld = 6 * MAX_MAIL_BYTES;

  /** @returns whether there is room. Then `free` has to follow. */
  take(bytes: number): boolean {
    if (this.held + bytes > this.maxHeld) return false;
    this.held += bytes;
    return true;
  }

  free(bytes: number): void {
    this.held -= bytes;
  }
}
