/** The providers from the environment, the source host first: its button is the one shown. */
import { Inject, Injectable } from '@nestjs/common';
import { signInProviders } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';
import { fetchThrough, Outbound } from '../platform/outbound';
import { CONFIG, type Config } from '../platform/tokens';
import { denied } from '../sessions';
import { github } from './github';
import { google } from './google';
import type { Provider } from './provider';

const configured = (config: Config, outbound: Outbound): Provider[] => {
  const { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GITHUB_URL, GITHUB_API_URL } = config;
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER_URL, SIGN_UP } = config;
  const found: Provider[] = [];
  if (GITHUB_CLIENT_ID && GITHUB_CLIENT_SECRET)
    found.push(
      github({
        url: GITHUB_URL,
        apiUrl: GITHUB_API_URL,
        clientId: GITHUB_CLIENT_ID,
        clientSecret: GITHUB_CLIENT_SECRET,
        organizations: SIGN_UP?.who === 'listed' ? SIGN_UP.organizations : [],
        fetch: fetchThrough(outbound, GITHUB_URL, GITHUB_API_URL),
      }),
    );
  if (GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET)
    found.push(
      google({
        issuer: GOOGLE_ISSUER_URL,
        clientId: GOOGLE_CLIENT_ID,
        clientSecret: GOOGLE_CLIENT_SECRET,
        fetch: fetchThrough(outbound, GOOGLE_ISSUER_URL),
      }),
    );
  return found;
};

@Injectable()
export class Providers {
  readonly all: readonly Provider[];

  constructor(@Inject(CONFIG) config: Config, outbound: Outbound) {
    this.all = configured(config, outbound);
  }

  /** @throws DomainError `unauthenticated` for an unknown provider, `unprocessable` for one that is not set up */
  named(name: string): Provider {
    if (!signInProviders.some((known) => known === name)) throw denied();
    const found = this.all.find((provider) => provider.name === name);
    if (!found) throw new DomainError('unprocessable', `sign-in by ${name} is not set up here`);
    return found;
  }
}
