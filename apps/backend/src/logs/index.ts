import { Module } from '@nestjs/common';
import { DomainsModule } from '../domains';
import { hook } from '../platform/hooks';
import { liveStreams } from '../platform/live';
import { RunsModule } from '../runs';
import { afterServerRemoval, ServersModule } from '../servers';
import { LogAccess } from './log-access';
import { LogList } from './log-list';
import { LogPast } from './log-past';
import { LogStream } from './log-stream';
import { LogsController } from './logs.controller';

export { LogAccess } from './log-access';

/** Logs of what runs on servers: followed by browsers, and read again. Nothing of them is stored unless somebody asks. */
@Module({
  imports: [DomainsModule, RunsModule, ServersModule],
  controllers: [LogsController],
  exports: [LogAccess],
  providers: [
    LogAccess,
    LogList,
    LogPast,
    LogStream,
    hook({ on: liveStreams, by: LogStream, does: ({ stream }) => stream }),
    hook({
      on: afterServerRemoval,
      by: LogStream,
      does: (streams) => async (server) => {
        streams.removed(server.id);
        return undefined;
      },
    }),
  ],
})
export class LogsModule {}
