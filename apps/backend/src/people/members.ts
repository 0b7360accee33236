/** What administrators can do with members. */
import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '@quarterdeck/events';
import { withLastAdmin, type NamedPerson, type PersonView } from '@quarterdeck/projections';
import { Credentials } from '../credentials';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { askedInstant } from '../platform/as-of';
import type { CommandMeta, Sessions } from '../platform/sessions';
import { Hooks, moment } from '../platform/hooks';
import { DB, SESSIONS, type Pool } from '../platform/tokens';
import { transaction } from '../platform/database';
import { Factors } from './factors';
import { Invitations } from './invitations';
import { People } from './people';
import {
  AssignRole,
  ForgetPerson,
  personDecider,
  RemovePerson,
  RenamePerson,
  SignOut,
} from './people.decider';
import { Roles } from './roles';

/** What else is known about a person by their e-mail addresses goes with them. */
export const whenForgotten =
  moment<(emails: readonly string[], meta: CommandMeta) => Promise<unknown>>('forgetting of a person');

@Injectable()
export class Members {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    private readonly decisions: Decisions,
    @Inject(SESSIONS) private readonly sessions: Sessions,
    private readonly people: People,
    private readonly roles: Roles,
    private readonly credentials: Credentials,
    private readonly invitations: Invitations,
    private readonly factors: Factors,
    private readonly hooks: Hooks,
  ) {}

  /** Sessions of the past are not stored, so they do not appear in the past. */
  async list(workspace: string): Promise<PersonView[]> {
    if (askedInstant.getStore()) return withLastAdmin(await this.people.list(workspace));
    const [people, sessions] = await Promise.all([
      this.people.list(workspace),
      this.sessions.countByPerson(workspace),
    ]);
    return withLastAdmin(people).map((person) => ({ ...person, sessions: sessions.get(person.id) ?? 0 }));
  }

  names(workspace: string): Promise<NamedPerson[]> {
    return this.people.names(workspace);
  }

  assign(id: string, role: Role, meta: CommandMeta): Promise<Decision> {
    const commandFor = (lastAdmin: boolean) => new AssignRole(id, { role, lastAdmin }, meta);
    return this.roles.change(id, meta.workspace, commandFor);
  }

  async remove(id: string, meta: CommandMeta): Promise<Decision> {
    const decision = await this.roles.holding(id, meta.workspace, (lastAdmin) =>
      this.decisions.execute(personDecider, new RemovePerson(id, { lastAdmin }, meta)),
    );
    // Also if the person was removed already: repeating an interrupted removal finishes it.
    await this.sessions.revokeAllOf(id);
    await this.credentials.removeAllOf(id, meta);
    await this.factors.destroy(id, meta.workspace);
    return decision;
  }

  resetFactors(id: string, meta: CommandMeta): Promise<Decision> {
    return this.factors.reset(id, { byCli: false }, meta);
  }

  /**
   * Deletes the record before the event is recorded. If this is interrupted, the person is still listed and the call
   * can be repeated.
   */
  async forget(id: string, meta: CommandMeta): Promise<Decision> {
    const { workspace } = meta;
    const command = new ForgetPerson(id, {}, meta);
    const refuseMember = async (): Promise<void> => {
      const { state } = await this.decisions.load(personDecider, id, workspace);
      personDecider.decide(command, state);
    };
    await refuseMember();
    const signs = await this.people.signsOf(id);
    await this.invitations.withdrawFor(signs, meta);
    for (const forgets of this.hooks.of(whenForgotten)) await forgets(signs.emails, meta);
    await this.credentials.removeAllOf(id, meta);
    await this.factors.destroy(id, workspace);
    await transaction(this.pool, async (client) => {
      // A person who rejoins concurrently does so either before this check, as a member, or after it, as a new person.
      await client.query('select from app.person_records where id = $1 for update', [id]);
      await refuseMember();
      await this.people.shred(id, workspace, client);
    });
    return this.decisions.execute(personDecider, command);
  }

  /** Name and event are written together or not at all. */
  rename(id: string, name: string, meta: CommandMeta): Promise<Pick<Decision, 'id' | 'position'>> {
    return transaction(this.pool, async (client) => {
      if (await this.people.rename(id, name, client))
        return this.decisions.execute(personDecider, new RenamePerson(id, {}, meta));
      const { position } = await this.decisions.load(personDecider, id, meta.workspace);
      return { id, position };
    });
  }

  /** Ends every session of the person, and nothing else. */
  async signOut(id: string, meta: CommandMeta): Promise<Decision> {
    const decision = await this.decisions.execute(personDecider, new SignOut(id, {}, meta));
    await this.sessions.revokeAllOf(id);
    return decision;
  }
}
