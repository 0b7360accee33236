import { Module } from '@nestjs/common';
import { deciderHandlers } from '../platform/decisions';
import { Credentials } from './credentials';
import { credentialControllers } from './credentials.controller';
import { credentialsDecider } from './credentials.decider';
import { TokenChecks } from './token-checks';

export { Credentials } from './credentials';

@Module({
  controllers: credentialControllers,
  providers: [Credentials, TokenChecks, ...deciderHandlers(credentialsDecider)],
  exports: [Credentials],
})
export class CredentialsModule {}
