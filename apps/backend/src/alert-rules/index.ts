import { Module } from '@nestjs/common';
import { alertRule, maintenanceWindow } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';
import { RuleChecks } from './rule-checks';
import { RuleTrials } from './rule-trials';
import { AlertRulesController } from './rules.controller';

const rules = plain(alertRule);
const windows = plain(maintenanceWindow);

@Module({
  ...rules,
  exports: [...rules.exports, ...windows.exports],
  controllers: [...rules.controllers, ...windows.controllers, AlertRulesController],
  providers: [
    ...rules.providers,
    ...windows.providers,
    RuleChecks,
    RuleTrials,
    hook({ on: judgedFields(alertRule), by: RuleChecks, does: ({ rule }) => rule }),
    hook({ on: judgedFields(maintenanceWindow), by: RuleChecks, does: ({ window }) => window }),
  ],
})
export class AlertRulesModule {}
