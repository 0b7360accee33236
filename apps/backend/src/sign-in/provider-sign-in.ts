/**
 * The sign-in with a provider, from the button to the session. A person who returns from a provider signs in to a
 * workspace that knows or has invited them, or becomes the first administrator of a new workspace whose name is still
 * free, if SIGN_UP lets them.
 */
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Invitations, People, provenEmail, recordOf, type Along } from '../people';
import { maySignUp, type SignUpRule } from '../platform/config';
import { DomainError, invalidField } from '../platform/errors';
import { ownMeta } from '../platform/sessions';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';
import { transaction } from '../platform/database';
import { Admission, denied, type SignedIn, type Visit } from '../sessions';
import { Workspaces } from '../workspaces';
import type { Attempt } from './attempts';
import { Identities } from './identities';
import type { Provider, ProvenIdentity } from './provider';
import { RoundTrip, type Callback } from './round-trip';

const nameTaken = (): DomainError =>
  invalidField('instance', 'This instance name already exists, please choose another one');

const noSignUp = (): DomainError =>
  new DomainError(
    'forbidden',
    'nobody can make a new workspace here: ask an administrator of an existing one for an invitation',
  );

@Injectable()
export class ProviderSignIn {
  private readonly rule: SignUpRule;

  constructor(
    @Inject(DB) private readonly pool: Pool,
    private readonly trip: RoundTrip,
    private readonly identities: Identities,
    private readonly workspaces: Workspaces,
    private readonly people: People,
    private readonly invitations: Invitations,
    private readonly admission: Admission,
    @Inject(CONFIG) { SIGN_UP = { who: 'anybody' } }: Pick<Config, 'SIGN_UP'>,
  ) {
    this.rule = SIGN_UP;
  }

  /**
   * @param browser a secret that only the browser's cookie contains
   * @returns the address that the browser opens
   */
  async begin(provider: Provider, instance: string, browser: string): Promise<string> {
    const creates = (await this.workspaces.find(instance)) === undefined;
    if (creates && this.rule.who === 'nobody') throw noSignUp();
    return this.trip.begin(provider, { instance, creates }, browser);
  }

  /** @throws DomainError with the answer's message */
  finish(
    provider: Provider,
    { invitation, ...callback }: Callback & { invitation?: string | undefined },
    browser: string,
    visit: Visit,
  ): Promise<SignedIn> {
    return this.trip.finish(provider, callback, browser, (attempt, identity) =>
      attempt.creates
        ? this.signUp(attempt, identity, visit)
        : this.signIn(attempt, identity, invitation, visit),
    );
  }

  private async signIn(
    { instance }: Attempt,
    identity: ProvenIdentity,
    invitation: string | undefined,
    visit: Visit,
  ): Promise<SignedIn> {
    const workspace = (await this.workspaces.find(instance))?.id;
    if (workspace === undefined) throw denied('no-member');
    const person =
      (await this.knownMember(identity, workspace)) ??
      (await this.invited(identity, workspace, invitation, visit)) ??
      (await this.knownByEmail(identity, workspace));
    return this.admission.admit({ person, workspace, via: identity.provider }, visit);
  }

  private async knownMember(identity: ProvenIdentity, workspace: string): Promise<string | undefined> {
    const person = await this.identities.personOf(identity, workspace);
    if (person) await this.identities.noteLogin(identity, workspace);
    return person && (await this.people.roleOf(person, workspace)) ? person : undefined;
  }

  private async invited(
    identity: ProvenIdentity,
    workspace: string,
    invitation: string | undefined,
    { correlationId }: Visit,
  ): Promise<string | undefined> {
    const byLink =
      invitation !== undefined && (await this.invitations.look(invitation)).workspace === workspace;
    // In the transaction of the acceptance: an account that has accepted but is not stored could never sign in again.
    const known: Along = (person, client) => this.identities.add(identity, workspace, person, client);
    const accepted = byLink
      ? await this.invitations.acceptLink(invitation, identity, { correlationId }, known)
      : await this.invitations.accept(workspace, identity, { correlationId }, known);
    return accepted?.person;
  }

  /**
   * A person whom the operator has added by e-mail, and who has never used a provider. Somebody who has used one is not
   * matched by e-mail: otherwise the weaker provider would give access to their account.
   */
  private async knownByEmail(identity: ProvenIdentity, workspace: string): Promise<string> {
    const email = provenEmail(identity);
    const person = email === undefined ? undefined : await this.people.withEmail(email, workspace);
    if (person === undefined || !(await this.people.roleOf(person, workspace))) throw denied('no-member');
    if ((await this.identities.of(person)).length > 0) throw denied('other-provider');
    await this.identities.add(identity, workspace, person);
    return person;
  }

  /**
   * Claims the name first and creates the workspace last. An interruption leaves a claim that the next person can take
   * over, and no workspace without an administrator.
   */
  private async signUp({ instance }: Attempt, identity: ProvenIdentity, visit: Visit): Promise<SignedIn> {
    if (!maySignUp(this.rule, identity.verified)) throw denied('no-sign-up');
    const workspace = uuidv7();
    if (!(await this.workspaces.claim(instance, workspace))) throw nameTaken();
    const metaOf = (actor: string) => ownMeta(actor, workspace, visit.correlationId);
    const person = await transaction(this.pool, async (client) => {
      const first = await this.people.join(uuidv7(), 'admin', recordOf(identity), metaOf, client);
      await this.identities.add(identity, workspace, first, client);
      return first;
    });
    await this.workspaces.create({ id: workspace, name: instance }, person);
    return this.admission.admit({ person, workspace, via: identity.provider }, visit);
  }
}
