/** A browser without a session: keeps its cookies, goes to the provider and returns with the result. */
import type { SignInProvider } from '@quarterdeck/events';
import { operator, type Answer, type Operator } from '../../testing/operator';

export interface Welcome {
  profile: { id: string; firstName: string; lastName: string; email: string };
  permissions: string[];
  instance: { uuid: string; name: string };
}

let visitors = 0;

export class Visitor {
  private readonly jar = new Map<string, string>();
  /** An address of its own, as a proxy reports it, so that failures of one visitor do not delay others. */
  private readonly address = `198.51.100.${(visitors += 1) % 256}`;

  constructor(
    private readonly url: string,
    private readonly provider: SignInProvider = 'github',
  ) {}

  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Calls with the visitor's session, if any. */
  get operator(): Operator {
    return operator(this.url, this.cookie);
  }

  /** @returns where the provider sends the browser */
  async leave(instance: string): Promise<string> {
    const answer = await this.get<{ url: string }>(
      `auth/sso/${this.provider}/url?instance=${encodeURIComponent(instance)}`,
    );
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.url;
  }

  /** Like the console: passes only the needed parameters of the address to the back end. */
  comeBack<T = Welcome>(params: URLSearchParams, provider = this.provider): Promise<Answer<T>> {
    const told = ['state', 'code', 'iss', 'error', 'invitation'].flatMap((name) => {
      const value = params.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    });
    return this.get(`auth/sso/${provider}/redirect?${new URLSearchParams(told).toString()}`);
  }

  /** The whole round trip. */
  async signIn(
    instance: string,
    agree: (address: string) => URLSearchParams | Promise<URLSearchParams>,
  ): Promise<Answer<Welcome>> {
    return this.comeBack(await agree(await this.leave(instance)));
  }

  async get<T>(path: string): Promise<Answer<T>> {
    const answer = await this.operator.get<T>(path, {
      'x-requested-with': 'quarterdeck',
      'x-forwarded-for': this.address,
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.jar.set(name, value);
    }
    return answer;
  }
}
