import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { HealthModule } from './health';
import { FleetModule } from './fleet';
import { HistoryModule } from './history';
import { PeopleModule } from './people';
import { GatewayModule } from './platform/gateway.module';
import { PlatformModule } from './platform/platform.module';
import type { Resources } from './platform/resources';
import { RunsModule } from './runs';
import { ScriptsModule } from './scripts';
import { ServersModule } from './servers';
import { SessionsModule } from './sessions';
import { WorkspacesModule } from './workspaces';

/** One line a feature. */
export const features: Type[] = [
  SessionsModule,
  WorkspacesModule,
  PeopleModule,
  ServersModule,
  RunsModule,
  ScriptsModule,
  FleetModule,
  HistoryModule,
  HealthModule,
];

@Module({})
export class AppModule {
  static with(resources: Resources): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.with(resources), GatewayModule, ...features] };
  }
}
