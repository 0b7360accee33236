/**
 * Signing in with a service: google, zoho, microsoft, github, apple or swissid. Nothing is kept between the two calls: state,
 * nonce and PKCE verifier follow from a key that only the browser has that began.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CustomFetch } from 'openid-client';
import { fieldsOf, limit, shown, storedEmail, type AccountAnswer, type Handled } from './account-requests';
import type { RateLimit } from './rate-limit';
import { ApiRefusal, busy, isLocked, wrongField } from './refusal';
import type { ServiceSecrets } from './services';
import { bearerIn, isOfInstance } from './users';
import type { ServiceClient } from '../messages';

/** Made with the first call: most APIs have no service. */
export type ServiceCalls = () => Promise<CustomFetch>;

const PATH = /^\/auth\/services\/([a-z]{1,20})(\/callback)?$/;
/** Each may take some calls to a service. */
const MAX_AT_ONCE = 20;
const MAX_ANSWER = 8000;

export class ServiceAccounts {
  private underWay = 0;

  /**
   * @param addresses limits the attempts of one address
   * @param onFault called with what a service refused or answered oddly, which its users cannot mend
   */
  constructor(
    private readonly addresses: RateLimit,
    private readonly onFault: (error: unknown) => void,
    private readonly calls: ServiceCalls | undefined,
  ) {}

  /** @returns undefined if the path is none of these */
  answer(handled: Handled): Promise<AccountAnswer> | undefined {
    const { method, path } = handled.asked;
    const [, service, callback] = PATH.exec(path) ?? [];
    if (service === undefined) return undefined;
    if (callback !== undefined) return method === 'POST' ? this.goOn(service, handled) : undefined;
    if (method === 'POST') return this.begin(service, handled);
    return method === 'PUT' ? this.finish(service, handled) : undefined;
  }

  private async begin(service: string, { asked, definition }: Handled): Promise<AccountAnswer> {
    const client = clientOf(service, definition.services);
    limit(this.addresses, asked.caller);
    const key = `k_${randomBytes(32).toString('base64url')}`;
    const url = await this.inTurn(async () => {
      const { addressAt } = await import('./services');
      return addressAt(client, secretsOf(key, service, definition.instance), await this.fetch());
    });
    return { status: 200, value: { url, key } };
  }

  private async finish(service: string, { asked, definition, store }: Handled): Promise<AccountAnswer> {
    const client = clientOf(service, definition.services);
    limit(this.addresses, asked.caller);
    const mayAdd =
      asked.authorization !== undefined && isOfInstance(bearerIn(asked.authorization), definition);
    const fields = fieldsOf(await asked.body(), ['key', 'answer']);
    const { key, answer } = { key: String(fields['key']), answer: answerIn(fields['answer']) };
    if (!/^k_[\w-]{43}$/.test(key))
      throw wrongField('body.key', 'the `key` that came with the address of the service is expected');
    const secrets = secretsOf(key, service, definition.instance);
    if (!isSame(answer.get('state') ?? '', secrets.state))
      throw wrongField(
        'body.answer',
        'this answer belongs to another sign-in: begin again, and come back in the same browser',
      );
    const identity = await this.inTurn(async () => {
      const { identify } = await import('./services');
      return identify(client, secrets, answer, await this.fetch());
    });
    const email = storedEmail(identity.email);
    const entered = await store.enter({ ...identity, email, service, mayAdd });
    switch (entered) {
      case 'locked':
        throw isLocked();
      case 'unverified':
        throw new ApiRefusal(
          403,
          `${service} has not verified an e-mail address of this account: verify it there, or allow this API to see it`,
        );
      case 'unknown':
        throw new ApiRefusal(
          401,
          'this API has no such account yet: signing up needs the token of the instance, so send `Authorization: Bearer …`',
        );
      default: {
        const { user, ...session } = entered;
        return { status: 200, value: { ...session, user: shown(user) } };
      }
    }
  }

  /** Apple sends a form. The page of the application gets what the other services would add to its address. */
  private async goOn(service: string, { asked, definition }: Handled): Promise<AccountAnswer> {
    const { page } = clientOf(service, definition.services).options;
    if (page === undefined)
      throw new ApiRefusal(404, `${service} has no option page where a browser goes on`);
    limit(this.addresses, asked.caller);
    const form = await asked.form();
    const location = new URL(page);
    for (const name of ['code', 'state', 'error']) {
      const value = form.get(name);
      if (value !== null) location.searchParams.set(name, value.slice(0, MAX_ANSWER / 4));
    }
    return { status: 303, location: location.href };
  }

  private fetch(): Promise<CustomFetch> {
    if (!this.calls) throw new Error('this API was begun without calls to services');
    return this.calls();
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.underWay >= MAX_AT_ONCE) throw busy('too many people are signing in: try again', 2);
    this.underWay += 1;
    try {
      return await work();
    } catch (error) {
      const { refusalOfService } = await import('./services');
      const { refusal, fault } = refusalOfService(error);
      if (fault !== undefined) this.onFault(fault);
      throw refusal;
    } finally {
      this.underWay -= 1;
    }
  }
}

/** The address of the service contains state and nonce. Nobody can compute the key from them. */
const secretsOf = (key: string, service: string, instance: string): ServiceSecrets => {
  const of = (what: string): string =>
    createHmac('sha256', key).update(`${what}\n${service}\n${instance}`).digest('base64url');
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') };
};

/** @throws ApiRefusal 404 */
const clientOf = (
  service: string,
  services: readonly ServiceClient[],
): ServiceClient & { secret: string } => {
  const client = services.find((one) => one.service === service);
  const { secret } = client ?? {};
  if (!client || secret === undefined) throw new ApiRefusal(404, `this API has no sign-in with ${service}`);
  return { ...client, secret };
};

/** @throws ApiRefusal 400 */
const answerIn = (given: unknown): URLSearchParams => {
  if (typeof given !== 'string' || given === '' || given.length > MAX_ANSWER)
    throw wrongField(
      'body.answer',
      'what the service added to the address of the page is expected: `?code=…&state=…`',
    );
  return new URLSearchParams(given);
};

const isSame = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};
