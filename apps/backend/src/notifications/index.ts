import { Module } from '@nestjs/common';
import { notification } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';
import { beforeTextRemoval, TextsModule } from '../texts';
import { NotificationText } from './notification-text';
import { NotificationsController } from './notifications.controller';

export { notificationsIn, NOTIFICATIONS_VERSION } from './notification-reads';

const notifications = plain(notification);

@Module({
  ...notifications,
  imports: [TextsModule],
  controllers: [...notifications.controllers, NotificationsController],
  providers: [
    ...notifications.providers,
    NotificationText,
    hook({
      on: judgedFields(notification),
      by: NotificationText,
      does: (texts) => (after, before) => texts.judge(after, before),
    }),
    hook({
      on: beforeTextRemoval,
      by: NotificationText,
      does: (texts) => (id, workspace) => texts.holds(id, workspace),
    }),
  ],
})
export class NotificationsModule {}
