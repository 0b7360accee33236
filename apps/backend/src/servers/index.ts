import { Module } from '@nestjs/common';
import { deciderHandlers } from '../platform/decisions';
import { hook } from '../platform/hooks';
import { RunHosts, RunsModule } from '../runs';
import { WorkspacesModule } from '../workspaces';
import { workflowActions } from '../workflows';
import { CommandAction } from './command-action';
import { ServerAliases } from './server-aliases';
import { ServerCommands } from './server-commands';
import { ServerConnections } from './server-connections';
import { ServerKeys } from './server-keys';
import { ServerRegistry } from './server-registry';
import { ServerSetup } from './server-setup';
import { ServerSetupController } from './server-setup.controller';
import { ServerWorkController } from './server-work.controller';
import { ServerUndo } from './server-undo';
import { ServersController } from './servers.controller';
import { serversDecider } from './servers.decider';

export { fixedCommand } from './commands/fixed-commands';
export { NGINX_CONTAINER } from './commands/nginx-container';
export { readTold } from './commands/telling';
export { ServerConnections } from './server-connections';
export { afterServerRemoval, beforeServerMove, beforeServerRemoval, ServerRegistry } from './server-registry';
export { ServerSetup } from './server-setup';
export { withServerRestoration } from './server-undo';
export { PinHostKey, RecordHealth } from './servers.decider';
export { listServers } from './servers.queries';

@Module({
  imports: [RunsModule, WorkspacesModule],
  controllers: [ServersController, ServerSetupController, ServerWorkController],
  providers: [
    CommandAction,
    ServerAliases,
    ServerCommands,
    ServerConnections,
    ServerKeys,
    ServerRegistry,
    ServerSetup,
    ServerUndo,
    ...deciderHandlers(serversDecider),
    hook({ on: workflowActions, by: CommandAction, does: (action) => action }),
    hook({ on: RunHosts, by: ServerCommands, does: ({ access }) => access }),
  ],
  exports: [ServerConnections, ServerRegistry, ServerSetup],
})
export class ServersModule {}
