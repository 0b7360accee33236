/**
 * The provider accounts that a person can sign in with. A signed-in person proves at the provider that another account
 * is theirs too, with the same checks as a sign-in. E-mails are never compared.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { AccountView, Position, SignInProvider } from '@quarterdeck/events';
import type { PoolClient } from 'pg';
import { ConnectAccount, DisconnectAccount, People, personDecider } from '../people';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta, Session } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { transaction } from '../platform/database';
import { Identities } from './identities';
import type { Provider, ProvenIdentity } from './provider';
import { Providers } from './configured-providers';
import { RoundTrip, type Callback } from './round-trip';

/** Only the session that began it may finish it. No cookie of a running sign-in looks like this. */
const browserOf = ({ id }: Session): string => `session ${id}`;

@Injectable()
export class Accounts {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    private readonly decisions: Decisions,
    private readonly providers: Providers,
    private readonly trip: RoundTrip,
    private readonly identities: Identities,
    private readonly people: People,
  ) {}

  list({ person }: Session): Promise<AccountView[]> {
    return this.identities.of(person);
  }

  /** @returns the address that the browser opens */
  begin(provider: Provider, session: Session): Promise<string> {
    const about = { instance: session.workspaceName, creates: false };
    return this.trip.begin(provider, about, browserOf(session));
  }

  async connect(
    provider: Provider,
    callback: Callback,
    session: Session,
    meta: CommandMeta,
  ): Promise<Position> {
    const added = new ConnectAccount(session.person, { provider: provider.name }, meta);
    const [earlier] = await this.decisions.recordedBy(personDecider, added);
    if (earlier) return earlier.position;
    try {
      return await this.trip.finish(provider, callback, browserOf(session), (_attempt, identity) =>
        this.add(provider, identity, session, meta),
      );
    } catch (error) {
      throw withoutSignIn(error, provider);
    }
  }

  /** Sessions started with the account stay open. They can be ended in the list of sessions. */
  disconnect(provider: SignInProvider, { person }: Session, meta: CommandMeta): Promise<Position> {
    return this.holding(person, async (client, accounts) => {
      if (!accounts.some((account) => account.provider === provider)) return this.nothingNew(person, meta);
      const doors = accounts.filter((account) =>
        this.providers.all.some(({ name }) => name === account.provider),
      );
      if (!doors.some((door) => door.provider !== provider))
        throw new DomainError(
          'conflict',
          'this is the last account by which you can sign in: connect another one first',
        );
      await this.identities.remove(provider, person, client);
      return this.record(new DisconnectAccount(person, { provider }, meta));
    });
  }

  private add(
    { name: provider, label }: Provider,
    identity: ProvenIdentity,
    { person, workspace }: Session,
    meta: CommandMeta,
  ): Promise<Position> {
    return this.holding(person, async (client, accounts) => {
      // If two people connect the same account at once, the second one finds it taken.
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `account:${workspace}:${provider}:${identity.subject}`,
      ]);
      const holder = await this.identities.personOf(identity, workspace, client);
      if (holder === person) return this.nothingNew(person, meta);
      if (holder && (await this.people.roleOf(holder, workspace)))
        throw new DomainError('conflict', `this ${label} account belongs to somebody else in this workspace`);
      if (accounts.some((account) => account.provider === provider))
        throw new DomainError('conflict', `you have connected another ${label} account: disconnect it first`);
      await this.identities.add(identity, workspace, person, client);
      return this.record(new ConnectAccount(person, { provider }, meta));
    });
  }

  /** One change of a person's accounts at a time, so that one account always stays, and at most one per provider. */
  private holding<T>(
    person: string,
    work: (client: PoolClient, accounts: AccountView[]) => Promise<T>,
  ): Promise<T> {
    return transaction(this.pool, async (client) => {
      await client.query('select from app.person_records where id = $1 for update', [person]);
      return work(client, await this.identities.of(person, client));
    });
  }

  private async record(command: ConnectAccount | DisconnectAccount): Promise<Position> {
    return (await this.decisions.execute(personDecider, command)).position;
  }

  private async nothingNew(person: string, { workspace }: CommandMeta): Promise<Position> {
    return (await this.decisions.load(personDecider, person, workspace)).position;
  }
}

/** A refusal here leaves the person signed in. A status 401 would say otherwise. */
const withoutSignIn = (error: unknown, { label }: Provider): unknown => {
  if (!(error instanceof DomainError) || error.code !== 'unauthenticated') return error;
  const msg =
    error.detail.code === 'refused'
      ? `you did not give your consent at ${label}`
      : 'this link has been used, is older than ten minutes or belongs to another session: start again';
  return new DomainError('unprocessable', msg, undefined, error.detail);
};
