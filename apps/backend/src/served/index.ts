/** Serves the generated APIs of products: each in a process of its own, under `/api/instance/{uuid}/…`. */
import { Module } from '@nestjs/common';
import { ApiInstancesModule } from '../api-instances';
import { DatabasesModule } from '../databases';
import { MailsModule } from '../mails';
import { ApiUsers } from './api-users';
import { ApiUsersController } from './api-users.controller';
import { ApiSources } from './api-sources';
import { KeptCounts } from './kept-counts';
import { ResetMails } from './reset-mails';
import { ServedApis } from './served-apis';
import { ServedController } from './served.controller';
import { ServedDoor } from './served-door';
import { Replays } from './replays';
import { StandaloneController } from './standalone.controller';
import { Tries } from './tries';

@Module({
  imports: [ApiInstancesModule, DatabasesModule, MailsModule],
  controllers: [ServedController, ApiUsersController, StandaloneController],
  providers: [ApiSources, ApiUsers, KeptCounts, ResetMails, ServedApis, ServedDoor, Tries, Replays],
})
export class ServedModule {}
