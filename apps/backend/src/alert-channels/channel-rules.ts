/** What a channel needs beyond its fields: a server at Gotify, and addresses that may be called. */
import { Injectable } from '@nestjs/common';
import { invalidField } from '../platform/errors';
import type { JudgeFields } from '../platform/kit';
import { hostOf, Outbound } from '../platform/outbound';

@Injectable()
export class ChannelRules {
  constructor(private readonly outbound: Outbound) {}

  /** Names are resolved only at delivery, where the same rules hold. A stored address is a reference here. */
  readonly judge: JudgeFields = async ({ kind, server, address }) => {
    if (kind === 'Gotify' && server === '')
      throw invalidField(
        'server',
        'the address of the Gotify server is expected, such as https://gotify.example.org',
      );
    for (const [field, url] of Object.entries({ server, address })) {
      if (typeof url !== 'string' || url === '') continue;
      const refusal = URL.canParse(url)
        ? this.outbound.refusalOfHost(hostOf(url))
        : 'a web address is expected';
      if (refusal !== undefined) throw invalidField(field, refusal);
    }
  };
}
