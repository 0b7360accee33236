import { Module } from '@nestjs/common';
import { PeopleModule } from '../people';
import { WorkspacesModule } from '../workspaces';
import { FactorAttempts } from './attempts';
import { Challenges } from './challenges';
import { OwnFactors } from './own-factors';
import { Passkeys } from './passkeys';
import { Proofs } from './proofs';
import { RecoveryCodes } from './recovery-codes';
import { SecondFactorsController } from './second-factors.controller';

@Module({
  imports: [PeopleModule, WorkspacesModule],
  controllers: [SecondFactorsController],
  providers: [Challenges, FactorAttempts, OwnFactors, Passkeys, Proofs, RecoveryCodes],
})
export class SecondFactorsModule {}
