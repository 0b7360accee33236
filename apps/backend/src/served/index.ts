/** Serves the generated APIs of products: each in a process of its own, under `/api/instance/{uuid}/…`. */
import { Module } from '@nestjs/common';
import { ApiInstancesModule } from '../api-instances';
import { DatabasesModule } from '../databases';
import { ApiUsers } from './api-users';
import { ApiUsersController } from './api-users.controller';
import { ApiSources } from './api-sources';
import { ServedApis } from './served-apis';
import { ServedController } from './served.controller';
import { ServedDoor } from './served-door';
import { Tries } from './tries';

@Module({
  imports: [ApiInstancesModule, DatabasesModule],
  controllers: [ServedController, ApiUsersController],
  providers: [ApiSources, ApiUsers, ServedApis, ServedDoor, Tries],
})
export class ServedModule {}
