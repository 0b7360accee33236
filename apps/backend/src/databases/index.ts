import { Module } from '@nestjs/common';
import { database } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';
import { RunsModule } from '../runs';
import { beforeServerRemoval, ServersModule } from '../servers';
import { DatabaseConnections } from './database-connections';
import { DatabaseHolds } from './database-holds';
import { databaseRules, judgeIdentity } from './database-rules';
import { DatabaseWork } from './database-work';
import { DatabasesController } from './databases.controller';

export { DatabaseConnections, type DatabaseRoute } from './database-connections';
export { isLost } from './lost-connection';
export { readAnswers } from './read-answers';
export {
  acceptZeroDates,
  appliedVersion,
  closed,
  journalRows,
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
  providers: [
    ...databases.providers,
    DatabaseConnections,
    DatabaseHolds,
    DatabaseWork,
    hook({ on: judgedFields(database), by: DatabaseHolds, does: () => judgeIdentity }),
    hook({ on: beforeServerRemoval, by: DatabaseHolds, does: (it) => (id, of) => it.holds(id, of) }),
  ],
  exports: [...databases.exports, DatabaseConnections],
})
export class DatabasesModule {}
