import { Module } from '@nestjs/common';
import { product } from '@quarterdeck/events';
import { whenForgotten } from '../people';
import { deciderHandlers } from '../platform/decisions';
import { hook } from '../platform/hooks';
import { afterRemoval } from '../platform/kit';
import { RunsModule } from '../runs';
import { WorkspacesModule } from '../workspaces';
import { MailFilesController } from './mail-files.controller';
import { MailParsing } from './mail-parsing';
import { MailResending } from './mail-resending';
import { MailRetention } from './mail-retention';
import { MailRoom } from './mail-room';
import { MailSender } from './mail-sender';
import { MailServers } from './mail-server';
import { MailTokens } from './mail-tokens';
import { MailWebhook } from './mail-webhook';
import { Mails } from './mails';
import { MailIntakeController, MailsController } from './mails.controller';
import { emailDecider } from './mails.decider';
import { SmtpIntake } from './smtp-intake';

export { withoutAddresses } from './mail-resending';
export { MailSender } from './mail-sender';

@Module({
  imports: [RunsModule, WorkspacesModule],
  controllers: [MailsController, MailIntakeController, MailFilesController],
  providers: [
    MailParsing,
    MailResending,
    MailRetention,
    MailRoom,
    MailSender,
    MailServers,
    MailTokens,
    MailWebhook,
    Mails,
    SmtpIntake,
    ...deciderHandlers(emailDecider),
    // A restored product gets new tokens.
    hook({
      on: afterRemoval(product),
      by: MailTokens,
      does: (tokens) => (id, meta) => tokens.revokeAll(id, meta),
    }),
    hook({
      on: whenForgotten,
      by: MailRetention,
      does: (retention) => (emails, meta) => retention.forget(emails, meta),
    }),
  ],
  exports: [MailSender],
})
export class MailsModule {}
