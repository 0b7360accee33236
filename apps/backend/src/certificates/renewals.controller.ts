import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { byId } from '@quarterdeck/events/inputs';
import type { NextRenewal } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession } from '../platform/access';
import type { Session } from '../platform/session';
import { valid } from '../platform/validation';
import { RenewalPlans } from './renewal-plans';

@Controller('domain')
export class RenewalsController {
  constructor(@Inject(RenewalPlans) private readonly plans: RenewalPlans) {}

  @Post('renewal')
  @HttpCode(200)
  @Access('admin', {
    summary: 'When the certificate of a domain is renewed next and why then, and whether that is allowed now',
    receipt: false,
  })
  next(
    @CurrentSession() { workspace }: Session,
    @Body(valid(byId)) { id }: z.infer<typeof byId>,
  ): Promise<NextRenewal> {
    return this.plans.next(id, workspace);
  }
}
