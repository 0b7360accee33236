import { Controller } from '@nestjs/common';
import { alertRules, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { RuleTrials } from './rule-trials';

@Controller()
export class AlertRulesController {
  constructor(private readonly trials: RuleTrials) {}

  @Answers(alertRules.try)
  try({ id }: InputOf<typeof alertRules.try>, { session: { workspace } }: Asker) {
    return this.trials.try(id, workspace);
  }
}
