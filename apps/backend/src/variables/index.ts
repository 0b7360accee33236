import { Module } from '@nestjs/common';
import { DatabasesModule } from '../databases';
import { deciderHandlers } from '../platform/decisions';
import { AppTokens } from './app-tokens';
import { Fingerprints } from './fingerprints';
import { VariableImport } from './variable-import';
import { VariableUndo } from './variable-undo';
import { Variables } from './variables';
import { VariablesController } from './variables.controller';
import { variablesDecider } from './variables.decider';
import { VariableReader } from './variable-reader';

export { AppTokens } from './app-tokens';
export { Variables } from './variables';
export { VariableReader, type OpenVariable, type Print } from './variable-reader';

@Module({
  imports: [DatabasesModule],
  controllers: [VariablesController],
  providers: [
    AppTokens,
    Fingerprints,
    VariableImport,
    VariableUndo,
    Variables,
    VariableReader,
    ...deciderHandlers(variablesDecider),
  ],
  exports: [AppTokens, Variables, VariableReader],
})
export class VariablesModule {}
