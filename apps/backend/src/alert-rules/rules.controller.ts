import { Controller } from '@nestjs/common';
import { alertRules, type InputOf } from '@quarterdeck/contract';
import type { RuleFields } from '@quarterdeck/projections';
import { Answers, type Asker } from '../platform/http';
import { ChosenChecks } from './chosen-checks';
import { RuleTrials } from './rule-trials';

@Controller()
export class AlertRulesController {
  constructor(
    private readonly trials: RuleTrials,
    private readonly checks: ChosenChecks,
  ) {}

  @Answers(alertRules.try)
  try({ id }: InputOf<typeof alertRules.try>, { session: { workspace } }: Asker) {
    return this.trials.try(id, workspace);
  }

  @Answers(alertRules.preview)
  async preview({ data }: InputOf<typeof alertRules.preview>, { session: { workspace } }: Asker) {
    const rule = data as RuleFields;
    await this.checks.rule(data, undefined, workspace);
    return this.trials.tryRule(rule, workspace);
  }
}
