/**
 * Invitations to a workspace: by a link, which is good once and of which the database holds the SHA-256, or by a
 * provider account. Whom one is for stands in `app.invitations` and goes from there as soon as it is over.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { InvitationWay, Position, Role } from '@quarterdeck/events';
import type { InvitationView } from '@quarterdeck/projections';
import type { PoolClient } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { invalidField, notFound } from '../platform/errors';
import { type CommandMeta, hashed, ownMeta, randomSecret } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { transaction } from '../platform/database';
import {
  AcceptInvitation,
  invitationDecider,
  IssueInvitation,
  WithdrawInvitation,
} from './invitations.decider';
import { People, type PersonRecord } from './people';

const DAYS = 7;
const open = 'closed_at is null and expires_at > now()';

/** What a provider says of the account that signs in. */
export interface ProviderIdentity {
  provider: 'github' | 'google';
  /** At GitHub. */
  login?: string;
  email?: string;
  /** By the provider. An e-mail that is not matches no invitation, and is not kept. */
  emailVerified: boolean;
  name?: string;
}

/** Made at the edge. */
export interface AcceptanceIds {
  correlationId: string;
}

/** What else belongs to an acceptance: it happens with it or not at all. */
export type Along = (person: string, client: PoolClient) => Promise<void>;

export interface Accepted {
  person: string;
  role: Role;
  workspace: string;
  position: Position;
}

export interface InvitationRequest {
  role: Role;
  via: InvitationWay;
  /** Of the way `github`. */
  login?: string | undefined;
  /** Of the way `email`. */
  email?: string | undefined;
}

interface Row {
  id: string;
  workspace: string;
  person: string;
}

interface OpenOffer {
  role: Role;
  expiresAt: string;
  acceptedBy: string | undefined;
}

const lowerCased = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());

export const provenEmail = ({ email, emailVerified }: ProviderIdentity): string | undefined =>
  emailVerified ? email : undefined;

/** What is kept of somebody who comes by a provider. */
export const recordOf = (identity: ProviderIdentity): PersonRecord => {
  const email = provenEmail(identity);
  const name = identity.name || identity.login;
  return { ...(name ? { name } : {}), ...(email ? { email } : {}) };
};

@Injectable()
export class Invitations {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(Decisions) private readonly decisions: Decisions,
    @Inject(People) private readonly people: People,
  ) {}

  /** @returns `code` of the link, which is shown this once, when it is for nobody in particular */
  async issue(
    { role, via, login, email }: InvitationRequest,
    meta: CommandMeta,
  ): Promise<Decision & { code?: string }> {
    const id = uuidv7();
    const { workspace } = meta;
    const expiresAt = new Date(Date.parse(meta.at) + DAYS * 24 * 3600 * 1000).toISOString();
    const code = via === 'link' ? randomSecret() : undefined;
    const issued = await transaction(this.pool, async (client) => {
      // Of two who invite the same one at once, the second finds the first.
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`invited:${workspace}`]);
      await this.refuseKnown(workspace, { login, email }, client);
      await client.query(
        `insert into app.invitations (id, workspace, person, login, email, code, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [id, workspace, uuidv7(), login ?? null, email ?? null, code ? hashed(code) : null, expiresAt],
      );
      return this.decisions.execute(
        invitationDecider,
        new IssueInvitation(id, { role, via, expiresAt }, meta),
      );
    });
    return { ...issued, ...(code ? { code } : {}) };
  }

  /** Those that are open, the expired among them included. */
  async list(workspace: string): Promise<InvitationView[]> {
    const { rows } = await this.pool.query<{ view: InvitationView; to: string | null }>(
      `select i.view, coalesce(r.login, r.email) as to
       from read.invitations i left join app.invitations r on r.id = i.id::uuid
       where i.workspace = $1 order by i.view ->> 'issuedAt' desc`,
      [workspace],
    );
    return rows.map(({ view, to }) => ({ ...view, ...(to === null ? {} : { to }) }));
  }

  /** Whoever accepts at the same moment either was quicker, or comes too late. */
  withdraw(id: string, meta: CommandMeta): Promise<Decision> {
    return transaction(this.pool, async (client) => {
      await client.query('select from app.invitations where id = $1 for update', [id]);
      const decision = await this.decisions.execute(invitationDecider, new WithdrawInvitation(id, {}, meta));
      await this.close(id, client);
      return decision;
    });
  }

  /** Whom they are for is said by no row after this. */
  async withdrawFor(
    { emails, logins }: { emails: readonly string[]; logins: readonly string[] },
    meta: CommandMeta,
  ): Promise<void> {
    const { workspace } = meta;
    const { rows } = await this.pool.query<{ id: string }>(
      `select id from app.invitations where workspace = $1 and closed_at is null
         and (lower(email) = any($2) or lower(login) = any($3))`,
      [workspace, lowerCased(emails), lowerCased(logins)],
    );
    for (const { id } of rows)
      if (await this.isToBeHad({ id, workspace })) await this.withdraw(id, meta);
      else await this.close(id, this.pool);
  }

  /** What the page of a link shows. @throws DomainError `notFound`, whatever it is that is wrong with the code */
  async look(code: string): Promise<{ workspace: string; role: Role; expiresAt: string }> {
    const { rows } = await this.pool.query<Row>(
      `select id, workspace from app.invitations where code = $1 and ${open}`,
      [hashed(code)],
    );
    const row = rows[0];
    const offer = row && (await this.offerOf(row));
    if (!row || !offer) throw notFound('invitation');
    return { workspace: row.workspace, role: offer.role, expiresAt: offer.expiresAt };
  }

  /** @returns `undefined` when nobody has invited that account to the workspace, or not any more */
  accept(
    workspace: string,
    identity: ProviderIdentity,
    ids: AcceptanceIds,
    along?: Along,
  ): Promise<Accepted | undefined> {
    return transaction(this.pool, async (client) => {
      const { rows } = await client.query<Row>(
        `select id, workspace, person from app.invitations
         where workspace = $1 and ${open} and (lower(login) = lower($2) or lower(email) = lower($3))
         order by expires_at desc limit 1 for update`,
        [
          workspace,
          identity.provider === 'github' ? (identity.login ?? null) : null,
          provenEmail(identity) ?? null,
        ],
      );
      return rows[0] && this.admit(rows[0], recordOf(identity), ids, client, along);
    });
  }

  /**
   * By a link. Whoever comes second while the first is at it is refused at once.
   * @param who a provider account, or the name that a newcomer gives where there is no provider
   */
  acceptLink(
    code: string,
    who: ProviderIdentity | { name: string },
    ids: AcceptanceIds,
    along?: Along,
  ): Promise<Accepted | undefined> {
    return transaction(this.pool, async (client) => {
      const { rows } = await client.query<Row>(
        `select id, workspace, person from app.invitations where code = $1 and ${open} for update skip locked`,
        [hashed(code)],
      );
      return rows[0] && this.admit(rows[0], 'provider' in who ? recordOf(who) : who, ids, client, along);
    });
  }

  /** He joins first: when this breaks off in the middle, the row is still open, and leads to the same person. */
  private async admit(
    row: Row,
    record: PersonRecord,
    { correlationId }: AcceptanceIds,
    client: PoolClient,
    along?: Along,
  ): Promise<Accepted | undefined> {
    const { id, workspace } = row;
    const offer = await this.offerOf(row);
    if (!offer || !(await this.isFor(record, row, offer))) return undefined;
    const metaOf = (actor: string): CommandMeta => ownMeta(actor, workspace, correlationId);
    const person = await this.people.join(row.person, offer.role, record, metaOf, client);
    const { position } = await this.decisions.execute(
      invitationDecider,
      new AcceptInvitation(id, { person }, metaOf(person)),
    );
    await this.close(id, client);
    await along?.(person, client);
    const role = (await this.people.roleOf(person, workspace)) ?? offer.role;
    return { person, role, workspace, position };
  }

  /**
   * Whose e-mail is that of a member is to sign in as that member, in the ways in which the member may: an invitation
   * is no further door to what is there already. Who broke off after accepting it comes back as the member that he
   * became, unless he was removed meanwhile.
   */
  private async isFor({ email }: PersonRecord, { workspace, person }: Row, { acceptedBy }: OpenOffer) {
    const who = (email && (await this.people.withEmail(email, workspace))) || person;
    const isMember = (await this.people.roleOf(who, workspace)) !== undefined;
    return acceptedBy === undefined ? who === person || !isMember : who === acceptedBy && isMember;
  }

  /** Of a row that is open: one that was accepted, too, where that broke off before it was closed. */
  private async offerOf({ id, workspace }: Pick<Row, 'id' | 'workspace'>): Promise<OpenOffer | undefined> {
    const { state } = await this.decisions.load(invitationDecider, id, workspace);
    const { offer, withdrawn, acceptedBy } = state;
    return offer && !withdrawn ? { ...offer, acceptedBy } : undefined;
  }

  /** By the log. A row that is open says so also of what is over, where somebody broke off before closing it. */
  private async isToBeHad(row: Pick<Row, 'id' | 'workspace'>): Promise<boolean> {
    const offer = await this.offerOf(row);
    return offer !== undefined && offer.acceptedBy === undefined;
  }

  private async close(id: string, db: Pick<PoolClient, 'query'>): Promise<void> {
    await db.query(
      'update app.invitations set closed_at = now(), login = null, email = null, code = null where id = $1',
      [id],
    );
  }

  /** What is over, and stayed open because somebody broke off in between, is closed on the way. */
  private async refuseKnown(
    workspace: string,
    { login, email }: Pick<InvitationRequest, 'login' | 'email'>,
    client: PoolClient,
  ): Promise<void> {
    if (!login && !email) return;
    const members = await client.query(
      `select from app.person_records r join read.people p on p.id = r.id::text and p."removedAt" is null
       where r.workspace = $1 and lower(r.email) = lower($2)`,
      [workspace, email ?? null],
    );
    const field = login ? 'login' : 'email';
    if (members.rowCount) throw invalidField(field, 'somebody with this e-mail is a member already');
    const { rows } = await client.query<Row>(
      `select id, workspace, person from app.invitations
       where workspace = $1 and ${open} and (lower(login) = lower($2) or lower(email) = lower($3)) for update`,
      [workspace, login ?? null, email ?? null],
    );
    for (const row of rows) {
      if (await this.isToBeHad(row))
        throw invalidField(field, 'an invitation is open already: withdraw it first');
      await this.close(row.id, client);
    }
  }
}
