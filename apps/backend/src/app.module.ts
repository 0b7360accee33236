import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AlertChannelsModule } from './alert-channels';
import { AlertRulesModule } from './alert-rules';
import { AlertsModule } from './alerts';
import { ApiInstancesModule } from './api-instances';
import { BackupsModule } from './backups';
import { CertificatesModule } from './certificates';
import { CreationsModule } from './creations';
import { CloudModule } from './cloud';
import { CredentialsModule } from './credentials';
import { DatabasesModule } from './databases';
import { PackagePullsModule } from './package-pulls';
import { DnsModule } from './dns';
import { DomainsModule } from './domains';
import { AttributesModule, EntitiesModule } from './entities';
import { HealthModule } from './health';
import { FleetModule } from './fleet';
import { HistoryModule } from './history';
import { HomeModule } from './home';
import { InstantsModule } from './instants';
import { NotificationsModule } from './notifications';
import { OptionSetsModule, OptionSetValuesModule } from './option-sets';
import { MaintenanceWindowsModule } from './maintenance-windows';
import { LogsModule } from './logs';
import { MailsModule } from './mails';
import { PeopleModule } from './people';
import { GatewayModule } from './platform/live';
import { PlatformModule, type Resources } from './platform/boot';
import { ProductsModule } from './products';
import { PublicReadsModule } from './public-reads';
import { PublicTokensModule } from './public-tokens';
import { RepositoriesModule } from './repositories';
import { RequestsModule } from './requests';
import { RunsModule } from './runs';
import { SchedulesModule } from './schedules';
import { ScriptsModule } from './scripts';
import { ServedModule } from './served';
import { SecondFactorsModule } from './second-factors';
import { ServersModule } from './servers';
import { ServicePackagesModule } from './service-packages';
import { RegistriesModule } from './registries';
import { DeploysModule } from './deploys';
import { PushesModule } from './pushes';
import { ServicesModule } from './services';
import { SessionsModule } from './sessions';
import { SuperadminModule } from './superadmin';
import { SignInModule } from './sign-in';
import { SslMonitorModule } from './ssl-monitor';
import { TextsModule } from './texts';
import { TrafficModule } from './traffic';
import { VariablesModule } from './variables';
import { VersionsModule } from './versions';
import { WebServerModule } from './webserver';
import { WorkflowTriggersModule } from './workflow-triggers';
import { WorkflowsModule } from './workflows';
import { WorkspacesModule } from './workspaces';

/** One line per feature. */
export const features: Type[] = [
  SessionsModule,
  SignInModule,
  SecondFactorsModule,
  WorkspacesModule,
  PeopleModule,
  ServersModule,
  RunsModule,
  ScriptsModule,
  SchedulesModule,
  FleetModule,
  HistoryModule,
  InstantsModule,
  HealthModule,
  DnsModule,
  DomainsModule,
  WebServerModule,
  CertificatesModule,
  SslMonitorModule,
  CloudModule,
  CredentialsModule,
  PackagePullsModule,
  AlertChannelsModule,
  AlertRulesModule,
  MaintenanceWindowsModule,
  AlertsModule,
  ProductsModule,
  PublicReadsModule,
  ServedModule,
  PublicTokensModule,
  NotificationsModule,
  OptionSetsModule,
  OptionSetValuesModule,
  EntitiesModule,
  AttributesModule,
  DatabasesModule,
  VersionsModule,
  RepositoriesModule,
  ServicesModule,
  TextsModule,
  MailsModule,
  LogsModule,
  TrafficModule,
  VariablesModule,
  ServicePackagesModule,
  RegistriesModule,
  RequestsModule,
  DeploysModule,
  PushesModule,
  CreationsModule,
  SuperadminModule,
  BackupsModule,
  HomeModule,
  WorkflowTriggersModule,
  WorkflowsModule,
  ApiInstancesModule,
];

@Module({})
export class AppModule {
  static with(resources: Resources): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.with(resources), GatewayModule, ...features] };
  }
}
