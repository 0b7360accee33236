import { Controller } from '@nestjs/common';
import { dns, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { HostRecords } from './host-records';
import { WorkspaceDns } from './workspace-dns';

@Controller()
export class DnsController {
  constructor(
    private readonly dns: WorkspaceDns,
    private readonly records: HostRecords,
  ) {}

  @Answers(dns.ipFromHostname)
  async ipFromHostname({ hostname }: InputOf<typeof dns.ipFromHostname>, { session: { workspace } }: Asker) {
    const answer = await this.dns.lookUp(hostname, workspace);
    const timestamp = new Date().toISOString();
    if (answer.is === 'found')
      return { ...answer.addresses[0], timestamp, outcome: answer.is, addresses: answer.addresses };
    const reason =
      answer.is === 'failed'
        ? answer.reason
        : answer.because === 'no-such-name'
          ? 'this name does not exist'
          : 'this name has no address';
    return { timestamp, outcome: answer.is, addresses: [], reason };
  }

  @Answers(dns.addHost)
  addHost(input: InputOf<typeof dns.addHost>, { meta }: Asker) {
    return this.records.add(input, meta);
  }
}
