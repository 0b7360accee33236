import { Controller } from '@nestjs/common';
import { domains, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { RenewalPlans } from './renewal-plans';

@Controller()
export class RenewalsController {
  constructor(private readonly plans: RenewalPlans) {}

  @Answers(domains.renewal)
  next({ id }: InputOf<typeof domains.renewal>, { session: { workspace } }: Asker) {
    return this.plans.next(id, workspace);
  }
}
