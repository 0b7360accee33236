import { Module } from '@nestjs/common';
import { database } from '@quarterdeck/events';
import { plain } from '../platform/kit';
import { RunsModule } from '../runs';
import { ServersModule } from '../servers';
import { DatabaseConnections } from './database-connections';
import { databaseRules } from './database-rules';
import { DatabaseWork } from './database-work';
import { DatabasesController } from './databases.controller';

export { DatabaseConnections } from './database-connections';
export { isLost } from './lost-connection';
export {
  appliedVersion,
  closed,
  journalRows,
  readStructure,
  refuseOther,
  type Row,
  type Target,
  type TargetAddress,
} from './target';

const databases = plain(database, databaseRules);

@Module({
  ...databases,
  imports: [RunsModule, ServersModule],
  controllers: [...databases.controllers, DatabasesController],
  providers: [...databases.providers, DatabaseConnections, DatabaseWork],
  exports: [...databases.exports, DatabaseConnections],
})
export class DatabasesModule {}
