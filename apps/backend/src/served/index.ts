/** Serves the generated APIs of products: each in a process of its own, under `/api/instance/{uuid}/…`. */
import { Module } from '@nestjs/common';
import { ApiInstancesModule } from '../api-instances';
import { DatabasesModule } from '../databases';
import { ApiSources } from './api-sources';
import { ServedApis } from './served-apis';
import { ServedController } from './served.controller';
import { ServedDoor } from './served-door';
import { Replays } from './replays';
import { Tries } from './tries';

@Module({
  imports: [ApiInstancesModule, DatabasesModule],
  controllers: [ServedController],
  providers: [ApiSources, ServedApis, ServedDoor, Tries, Replays],
})
export class ServedModule {}
