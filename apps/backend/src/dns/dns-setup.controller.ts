import { Controller } from '@nestjs/common';
import { workspaces, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { DnsSetup } from './dns-setup';

@Controller()
export class DnsSetupController {
  constructor(private readonly setup: DnsSetup) {}

  @Answers(workspaces.dns)
  set({ revision, ...input }: InputOf<typeof workspaces.dns>, { meta }: Asker) {
    return this.setup.set(input, meta, revision);
  }
}
