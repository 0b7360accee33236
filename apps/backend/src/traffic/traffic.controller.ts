import { Controller, Inject } from '@nestjs/common';
import { traffic, type InputOf } from '@quarterdeck/contract';
import { domainDetail } from '../domains';
import { notFound } from '../platform/errors';
import { Answers, type Asker } from '../platform/http';
import { DB, type Pool } from '../platform/tokens';
import { siteHistory } from './traffic-history';

@Controller()
export class TrafficController {
  constructor(@Inject(DB) private readonly db: Pool) {}

  @Answers(traffic.site)
  async site({ id, hours }: InputOf<typeof traffic.site>, { session: { workspace } }: Asker) {
    const found = await domainDetail(this.db, workspace, id);
    if (!found) throw notFound('domain');
    const { id: server, alias = '' } = found.server;
    return siteHistory(this.db, { workspace, domain: id, server: { id: server, alias }, hours });
  }
}
