import { Module } from '@nestjs/common';
import { CertificatesModule } from '../certificates';
import { DomainsModule } from '../domains';
import { RunsModule } from '../runs';
import { ServersModule } from '../servers';
import { WorkspacesModule } from '../workspaces';
import { SslController } from './ssl.controller';
import { SslMonitor } from './ssl-monitor';
import { SslScheduler } from './ssl-scheduler';

/** Checks the certificates of all domains of a workspace on a schedule, and renews what is due. */
@Module({
  imports: [CertificatesModule, DomainsModule, RunsModule, ServersModule, WorkspacesModule],
  controllers: [SslController],
  providers: [SslMonitor, SslScheduler],
})
export class SslMonitorModule {}
