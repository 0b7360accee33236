import { Module } from '@nestjs/common';
import { alertRule } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';
import { ChosenChecks } from './chosen-checks';
import { RuleTrials } from './rule-trials';
import { AlertRulesController } from './rules.controller';

export { ChosenChecks } from './chosen-checks';

const rules = plain(alertRule);

@Module({
  ...rules,
  controllers: [...rules.controllers, AlertRulesController],
  providers: [
    ...rules.providers,
    ChosenChecks,
    RuleTrials,
    hook({ on: judgedFields(alertRule), by: ChosenChecks, does: ({ rule }) => rule }),
  ],
})
export class AlertRulesModule {}
