import { Module } from '@nestjs/common';
import { registry } from '@quarterdeck/events';
import { plain } from '../platform/kit';
import { RegistryLogins } from './registry-logins';

export { RegistryLogins } from './registry-logins';

const registries = plain(registry);

@Module({
  ...registries,
  providers: [...registries.providers, RegistryLogins],
  exports: [...registries.exports, RegistryLogins],
})
export class RegistriesModule {}
