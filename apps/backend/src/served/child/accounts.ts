/** What every served API answers below `/auth`: sign-up, sign-in, sign-out, own data, a forgotten password, and services. */
import type { ResetAsked } from '../messages';
import {
  fieldsOf,
  limit,
  shown,
  storedEmail,
  type AccountAnswer,
  type AccountRequest,
  type Handled,
} from './account-requests';
import type { Connections } from './connections';
import type { Definition } from './definition';
import { acceptedPassword, Passwords } from './passwords';
import { RateLimit } from './rate-limit';
import { ApiRefusal, busy, isLocked, wrongField } from './refusal';
import { ServiceAccounts, type ServiceCalls } from './service-accounts';
import { bearerIn, isOfInstance } from './users';
import type { StoredUser } from './user-entrance';
import { isResetToken, isSessionToken, RESET_MINUTES, UserStore, type UserWithPassword } from './user-store';

/** A minute. */
const PER_ADDRESS = 30;
const PER_ACCOUNT = 10;
/** E-mails to one address. */
const RESETS = 2;

const TAKEN = 'this e-mail address has an account already: sign in';
type Handler = (handled: Handled) => Promise<AccountAnswer>;

export class Accounts {
  private readonly passwords = new Passwords();
  private readonly addresses = new RateLimit(PER_ADDRESS);
  private readonly accounts = new RateLimit(PER_ACCOUNT);
  private readonly resets = new RateLimit(RESETS);
  private readonly handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
    ['POST /auth/sign-up', (handled) => this.signUp(handled)],
    ['POST /auth/sign-in', (handled) => this.signIn(handled)],
    ['POST /auth/sign-out', (handled) => this.signOut(handled)],
    ['GET /auth/me', async ({ asked, store }) => ({ status: 200, value: shown(await ownIn(asked, store)) })],
    ['PUT /auth/password', (handled) => this.changePassword(handled)],
    ['POST /auth/reset', (handled) => this.askReset(handled)],
    ['PUT /auth/reset', (handled) => this.reset(handled)],
  ]);

  private readonly services: ServiceAccounts;

  /**
   * @param sendCode sends an e-mail, and says nothing about whether it arrives
   * @param onFault called with what went wrong after an answer, or at a service
   * @param calls how services are called that sign users in
   */
  constructor(
    private readonly connections: Connections,
    private readonly sendCode: (asked: ResetAsked) => void,
    private readonly onFault: (error: unknown) => void,
    calls?: ServiceCalls,
  ) {
    this.services = new ServiceAccounts(this.addresses, onFault, calls);
  }

  store({ instance }: Pick<Definition, 'instance'>): UserStore {
    return new UserStore(this.connections, instance);
  }

  /** @returns undefined if the path is none of these @throws ApiRefusal, and what the database throws */
  answer(asked: AccountRequest, definition: Definition): Promise<AccountAnswer> | undefined {
    if (!/^\/auth(?:\/|$)/.test(asked.path)) return undefined;
    const handled = { asked, definition, store: this.store(definition) };
    const answer =
      this.handlers.get(`${asked.method} ${asked.path}`)?.(handled) ?? this.services.answer(handled);
    if (!answer) throw new ApiRefusal(404, 'endpoint not found');
    return answer;
  }

  /** The token of the instance is needed: it has the permission that the new user gets. */
  private async signUp({ asked, definition, store }: Handled): Promise<AccountAnswer> {
    if (asked.authorization === undefined || !isOfInstance(bearerIn(asked.authorization), definition))
      throw new ApiRefusal(401, 'signing up needs the token of the instance: send `Authorization: Bearer …`');
    limit(this.addresses, asked.caller);
    const fields = fieldsOf(await asked.body(), ['email', 'password']);
    const email = emailIn(fields);
    const passwordHash = await this.passwords.hash(acceptedPassword(fields['password']));
    if (!(await store.add(email, passwordHash, 'app')))
      throw new ApiRefusal(409, TAKEN, { fields: { 'body.email': TAKEN } });
    return { status: 201, value: await begun(await store.byEmail(email), store) };
  }

  /** Takes as long, and says the same, whether there is such an account or not. */
  private async signIn({ asked, store }: Handled): Promise<AccountAnswer> {
    limit(this.addresses, asked.caller);
    const fields = fieldsOf(await asked.body(), ['email', 'password']);
    const email = emailIn(fields);
    limit(this.accounts, email);
    const user = await store.byEmail(email);
    if (!(await this.passwords.isRight(passwordIn(fields), user?.passwordHash ?? undefined)))
      throw new ApiRefusal(401, 'the e-mail address or the password is wrong');
    return { status: 200, value: await begun(user, store) };
  }

  private async signOut({ asked, store }: Handled): Promise<AccountAnswer> {
    await ownIn(asked, store);
    await store.end(bearerIn(asked.authorization ?? ''));
    return done;
  }

  /** Ends all other sessions. */
  private async changePassword({ asked, store }: Handled): Promise<AccountAnswer> {
    limit(this.addresses, asked.caller);
    const user = await ownIn(asked, store);
    const fields = fieldsOf(await asked.body(), ['password', 'newPassword']);
    limit(this.accounts, user.email);
    const next = acceptedPassword(fields['newPassword'], 'body.newPassword');
    const known = await store.byEmail(user.email);
    if (!(await this.passwords.isRight(passwordIn(fields), known?.passwordHash ?? undefined)))
      throw wrongField('body.password', 'this is not the present password');
    const token = bearerIn(asked.authorization ?? '');
    await store.setPassword(user.id, await this.passwords.hash(next), token);
    return done;
  }

  /** Answers the same, and as fast, whether there is such an account or not. */
  private async askReset({ asked, definition, store }: Handled): Promise<AccountAnswer> {
    if (!definition.sendsMails) throw busy('this API cannot send e-mails: it has no mail server', 60);
    limit(this.addresses, asked.caller);
    const email = emailIn(fieldsOf(await asked.body(), ['email']));
    limit(this.resets, email);
    const user = await store.byEmail(email);
    // Not awaited: an answer that takes longer would tell that the account exists.
    if (user)
      void store
        .beginReset(user.id)
        .then(
          (token) => token !== undefined && this.sendCode({ email, token, minutes: RESET_MINUTES }),
          this.onFault,
        );
    return done;
  }

  /** Ends all sessions. */
  private async reset({ asked, store }: Handled): Promise<AccountAnswer> {
    limit(this.addresses, asked.caller);
    const fields = fieldsOf(await asked.body(), ['token', 'newPassword']);
    const next = acceptedPassword(fields['newPassword'], 'body.newPassword');
    const token = String(fields['token']);
    const user = isResetToken(token) ? await store.byReset(token) : undefined;
    // A hash is dear, so a wrong code costs none.
    if (user === undefined || !(await store.reset(user, await this.passwords.hash(next), token)))
      throw wrongField('body.token', 'this code is wrong, used or too old: ask for another one');
    return done;
  }
}

/** A session. @throws ApiRefusal 403 */
const begun = async (user: UserWithPassword | undefined, store: UserStore): Promise<object> => {
  const session = user && (await store.begin(user));
  if (!session) throw isLocked();
  return { ...session, user: shown(user) };
};

const done: AccountAnswer = { status: 204 };

/** @throws ApiRefusal 401 */
const ownIn = async ({ authorization }: AccountRequest, store: UserStore): Promise<StoredUser> => {
  const token = authorization === undefined ? '' : bearerIn(authorization);
  const user = isSessionToken(token) ? await store.bySession(token) : undefined;
  if (!user)
    throw new ApiRefusal(401, 'sign in first: send `Authorization: Bearer …` with the token of a session');
  return user;
};

const emailIn = ({ email }: Readonly<Record<string, unknown>>): string => {
  const given = storedEmail(email);
  if (given === undefined)
    throw wrongField('body.email', 'an e-mail address is expected, such as ada@example.org');
  return given;
};

/** One that is refused at sign-up is simply wrong. */
const passwordIn = ({ password }: Readonly<Record<string, unknown>>): string => {
  if (typeof password !== 'string' || password === '')
    throw wrongField('body.password', 'This field is required');
  return password.slice(0, 1000);
};
