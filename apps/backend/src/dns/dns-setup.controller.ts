import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { workspaceDns } from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import { Access, Meta } from '../platform/access';
import type { CommandMeta } from '../platform/session';
import { valid } from '../platform/validation';
import { DnsSetup } from './dns-setup';

@Controller('workspace')
export class DnsSetupController {
  constructor(@Inject(DnsSetup) private readonly setup: DnsSetup) {}

  @Post('dns')
  @HttpCode(200)
  @Access('admin', { summary: 'Whom to ask about names, and who may write records' })
  set(
    @Meta() meta: CommandMeta,
    @Body(valid(workspaceDns)) { revision, ...input }: z.infer<typeof workspaceDns>,
  ) {
    return this.setup.set(input, meta, revision);
  }
}
