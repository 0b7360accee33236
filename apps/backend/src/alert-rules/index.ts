import { Module } from '@nestjs/common';
import { alertRule } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';
import { RuleChecks } from './rule-checks';
import { RuleTrials } from './rule-trials';
import { AlertRulesController } from './rules.controller';

const rules = plain(alertRule);

@Module({
  ...rules,
  controllers: [...rules.controllers, AlertRulesController],
  providers: [
    ...rules.providers,
    RuleChecks,
    RuleTrials,
    hook({ on: judgedFields(alertRule), by: RuleChecks, does: ({ judge }) => judge }),
  ],
})
export class AlertRulesModule {}
