import { Module } from '@nestjs/common';
import { servicePackage } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';
import { ServicesModule } from '../services';
import { ServicePackageFields } from './service-package-fields';

const packages = plain(servicePackage);

@Module({
  ...packages,
  imports: [ServicesModule],
  providers: [
    ...packages.providers,
    ServicePackageFields,
    hook({
      on: judgedFields(servicePackage),
      by: ServicePackageFields,
      does: (fields) => (after, before, workspace) => fields.judge(after, before, workspace),
    }),
  ],
})
export class ServicePackagesModule {}
