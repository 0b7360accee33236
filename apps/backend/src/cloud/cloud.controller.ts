/** Calls about the account, its orphans and its costs. */
import { Controller, Header, Inject } from '@nestjs/common';
import { cloud, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, done, written } from '../platform/http';
import { CONFIG, DB, EVENT_STORE, type Config, type EventStore, type Pool } from '../platform/tokens';
import { CloudAccounts, noToken } from './cloud-accounts';
import { CloudLooks } from './cloud-looks';
import { CloudOverview } from './cloud-overview';
import { CloudSignIn } from './cloud-sign-in';
import { accountOf, seenOf } from './cloud.queries';

@Controller()
export class CloudController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly accounts: CloudAccounts,
    private readonly signIn: CloudSignIn,
    private readonly looks: CloudLooks,
    private readonly overview: CloudOverview,
  ) {}

  @Answers(cloud.exists)
  async exists(_: object, { session: { workspace } }: Asker) {
    const account = await accountOf(this.db, workspace);
    return {
      exists: account !== undefined,
      ...(account && { account }),
      canSignIn: this.accounts.client !== undefined,
      tokenPage: `${this.config.DIGITALOCEAN_URL.replace(/\/+$/, '')}/account/api/tokens`,
      ...(account && (await seenOf(this.db, workspace, account.connectedAt))),
    };
  }

  @Answers(cloud.url)
  async url(_: object, { session }: Asker) {
    return { url: await this.signIn.begin(session) };
  }

  @Answers(cloud.redirect)
  @Header('cache-control', 'no-store')
  async redirect(input: InputOf<typeof cloud.redirect>, { session, meta }: Asker) {
    return done(await this.signIn.finish(input, session, meta));
  }

  @Answers(cloud.connect)
  async connect({ token }: InputOf<typeof cloud.connect>, { meta }: Asker) {
    return done(await this.accounts.connect({ token }, 'token', meta));
  }

  @Answers(cloud.disconnect)
  async disconnect(_: object, { meta }: Asker) {
    const { position, ...answer } = await this.accounts.disconnect(meta);
    return written(answer, position);
  }

  @Answers(cloud.refresh)
  async refresh(_: object, { session: { workspace } }: Asker) {
    if (!(await this.accounts.connected(workspace))) throw noToken();
    const seen = await this.looks.look(workspace);
    // Another call or process may have made the look, and recorded what it saw.
    return written(seen, await this.store.head());
  }

  @Answers(cloud.orphans)
  orphans(_: object, { session: { workspace } }: Asker) {
    return this.overview.orphans(workspace);
  }

  @Answers(cloud.keyDelete)
  async keyDelete(input: InputOf<typeof cloud.keyDelete>, { session: { workspace } }: Asker) {
    await this.overview.deleteKey(input, workspace);
    return {};
  }

  @Answers(cloud.costs)
  costs({ month }: InputOf<typeof cloud.costs>, { session: { workspace } }: Asker) {
    return this.overview.costs(month, workspace);
  }
}
