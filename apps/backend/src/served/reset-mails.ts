/** Sends the code with which a user of an API sets a new password. */
import { Inject, Injectable } from '@nestjs/common';
import { ApiLibrary } from '../api-instances';
import { MailSender, withoutAddresses } from '../mails';
import { LOGGER, type Logger } from '../platform/tokens';
import type { ResetAsked } from './messages';

@Injectable()
export class ResetMails {
  constructor(
    private readonly library: ApiLibrary,
    private readonly sender: MailSender,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never throws: the user is not told whether there is such an account. */
  async send(instance: string, workspace: string, { email, token, minutes }: ResetAsked): Promise<void> {
    try {
      const { title, email: from } = await this.library.instance(instance, workspace);
      await this.sender.send(
        {
          from,
          to: email,
          subject: `A new password for ${title}`,
          body: [
            `Somebody has asked for a new password for your account of ${title}.`,
            `This code sets one within ${minutes} minutes, and only once:`,
            token,
            'If that was not you, ignore this e-mail. Your password stays as it is.',
            '',
          ].join('\n\n'),
        },
        workspace,
      );
    } catch (error) {
      const why = withoutAddresses(error instanceof Error ? error.message : String(error));
      this.logger.warn({ instance, why }, 'the e-mail for a new password of an API user was not sent');
    }
  }
}
