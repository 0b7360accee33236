import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { certificateIssue, certificateRemove, sslExpiry } from '@quarterdeck/events/inputs';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { Access, Meta } from '../platform/access';
import { written } from '../platform/answers';
import { invalidField } from '../platform/errors';
import { Outbound } from '../platform/outbound';
import type { CommandMeta } from '../platform/session';
import { checkTls, expiryAnswer, type ExpiryAnswer } from '../platform/tls';
import { valid } from '../platform/validation';
import { Certificates } from './certificates';

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
    @Inject(Certificates) private readonly certificates: Certificates,
    @Inject(Outbound) private readonly outbound: Outbound,
  ) {}

  @Post('dns/ssl/expiry')
  @HttpCode(200)
  @Access('admin', { summary: 'What a host shows over TLS, and for how long it is valid', receipt: false })
  async expiry(@Body(valid(sslExpiry)) input: z.infer<typeof sslExpiry>): Promise<ExpiryAnswer> {
    const { host, port } = placeOf(input.host);
    const { address, host: name } = await this.outbound.reach({ host, port });
    return expiryAnswer(await checkTls({ host: name, port, address }));
  }

  @Post('nginx/certbot')
  @HttpCode(200)
  @Access('admin', {
    summary: 'Issues or renews the certificate of a domain, as a recorded run',
    receipt: false,
  })
  async issue(
    @Meta() meta: CommandMeta,
    @Body(valid(certificateIssue)) { id, runId = uuidv7(), ...how }: z.infer<typeof certificateIssue>,
  ) {
    const { position } = await this.certificates.order(id, { runId, ...how }, meta);
    return written({ runId }, position);
  }

  @Post('nginx/certbot-rm')
  @HttpCode(200)
  @Access('admin', {
    summary: 'Removes the certificate of a domain from its server, as a recorded run',
    receipt: false,
  })
  async remove(
    @Meta() meta: CommandMeta,
    @Body(valid(certificateRemove)) { id, runId = uuidv7(), seen }: z.infer<typeof certificateRemove>,
  ) {
    const { position } = await this.certificates.remove(id, runId, seen, meta);
    return written({ runId }, position);
  }
}
