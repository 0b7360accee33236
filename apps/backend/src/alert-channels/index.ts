import { Module } from '@nestjs/common';
import { alertChannel } from '@quarterdeck/events';
import { MailsModule } from '../mails';
import { PeopleModule } from '../people';
import { deciderHandlers } from '../platform/decisions';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';
import { alertMessagesDecider } from './alert-messages.decider';
import { ChannelRules } from './channel-rules';
import { ChannelSender } from './channel-sender';
import { ChannelTests } from './channel-tests';
import { ChannelWork } from './channel-work';
import { ChannelsController } from './channels.controller';

const channels = plain(alertChannel);

@Module({
  ...channels,
  imports: [MailsModule, PeopleModule],
  controllers: [...channels.controllers, ChannelsController],
  providers: [
    ...channels.providers,
    ChannelRules,
    ChannelSender,
    ChannelTests,
    ChannelWork,
    ...deciderHandlers(alertMessagesDecider),
    hook({ on: judgedFields(alertChannel), by: ChannelRules, does: ({ judge }) => judge }),
  ],
})
export class AlertChannelsModule {}
