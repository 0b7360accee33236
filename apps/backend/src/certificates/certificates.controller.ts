import { Controller } from '@nestjs/common';
import { dns, sites, type InputOf } from '@quarterdeck/contract';
import { hostToAsk } from '../dns';
import { Answers, type Asker, written } from '../platform/http';
import { invalidField } from '../platform/errors';
import { Outbound } from '../platform/outbound';
import { idFor } from '../platform/sessions';
import { checkTls, expiryAnswer } from '../platform/tls';
import { Certificates } from './certificates';
import { Lineages } from './lineages';

const HTTPS = 443;

/** `shop.example.org`, `shop.example.org:8443`, `[2001:db8::7]:8443`, `2001:db8::7` */
const placeOf = (given: string): { host: string; port: number } => {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(given) ?? [];
  const host = bracketed ?? plain ?? given;
  const number = port === undefined ? HTTPS : Number(port);
  if (number < 1 || number > 65_535) throw invalidField('host', 'a port between 1 and 65535 is expected');
  return { host, port: number };
};

@Controller()
export class CertificatesController {
  constructor(
    private readonly certificates: Certificates,
    private readonly lineages: Lineages,
    private readonly outbound: Outbound,
  ) {}

  @Answers(dns.expiry)
  async expiry(input: InputOf<typeof dns.expiry>) {
    const { host, port } = placeOf(hostToAsk(input.host));
    const { address, host: name } = await this.outbound.reach({ host, port });
    return expiryAnswer(await checkTls({ host: name, port, address }));
  }

  @Answers(sites.issueCertificate)
  async issue({ id, runId: chosen, ...how }: InputOf<typeof sites.issueCertificate>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.certificates.order(id, { runId, ...how }, meta);
    return written({ runId }, position);
  }

  @Answers(sites.lineage)
  async lineage({ id }: InputOf<typeof sites.lineage>, { meta }: Asker) {
    return this.lineages.look(id, meta);
  }

  @Answers(sites.removeCertificate)
  async remove({ id, runId: chosen, ...how }: InputOf<typeof sites.removeCertificate>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.certificates.remove(id, { runId, ...how }, meta);
    return written({ runId }, position);
  }
}
