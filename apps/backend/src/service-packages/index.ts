import { Module } from '@nestjs/common';
import { servicePackage } from '@quarterdeck/events';
import { plain } from '../platform/kit';
import { ServicesModule } from '../services';
import { ServicePackageFields } from './service-package-fields';

const packages = plain(servicePackage);

@Module({
  ...packages,
  imports: [ServicesModule],
  providers: [...packages.providers, ServicePackageFields],
})
export class ServicePackagesModule {}
