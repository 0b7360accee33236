import { Controller, Req, Res } from '@nestjs/common';
import { auth, type InputOf } from '@quarterdeck/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Invitations } from '../people';
import { callerAddress } from '../platform/caller-address';
import { Answers, type Asker, cookieIn } from '../platform/http';
import { notFound } from '../platform/errors';
import { FailedAttempts, randomSecret } from '../platform/sessions';
import { Admission, denied, visitOf } from '../sessions';
import { ATTEMPT_SECONDS, Attempts } from './attempts';
import { ProviderSignIn } from './provider-sign-in';
import { Providers } from './configured-providers';

/** Binds a running sign-in to the browser that began it. One browser may have several. */
const BROWSER_COOKIE = 'qd_sign_in';

@Controller()
export class SignInController {
  constructor(
    private readonly providers: Providers,
    private readonly signIn: ProviderSignIn,
    private readonly attempts: Attempts,
    private readonly invitations: Invitations,
    private readonly admission: Admission,
    private readonly failures: FailedAttempts,
  ) {}

  @Answers(auth.providers)
  list() {
    return this.providers.all.map(({ name, label }) => ({ name, label }));
  }

  @Answers(auth.url)
  async url(
    { provider: name, instance }: InputOf<typeof auth.url>,
    _asker: Asker,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const provider = this.providers.named(name);
    const browser = browserOf(request) || randomSecret();
    const url = await this.signIn.begin(provider, instance, browser);
    this.admission.setCookie(reply, BROWSER_COOKIE, browser, ATTEMPT_SECONDS);
    return { url };
  }

  @Answers(auth.redirect)
  async redirect(
    { provider: name, ...callback }: InputOf<typeof auth.redirect>,
    _asker: Asker,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const provider = this.providers.named(name);
    const browser = browserOf(request);
    if (!(await this.attempts.isOpen(provider.name, callback.state, browser)))
      return this.failures.refuse(callerAddress(request), denied('expired'));
    const signedIn = await this.signIn.finish(provider, callback, browser, visitOf(request));
    return this.admission.welcome(signedIn, reply);
  }

  @Answers(auth.invitation)
  async invitation(
    { code, name }: InputOf<typeof auth.invitation>,
    _asker: Asker,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (this.providers.all.length > 0) throw denied('links-off');
    if (!(await this.invitations.hasLink(code)))
      return this.failures.refuse(callerAddress(request), notFound('invitation'));
    const visit = visitOf(request);
    const accepted = await this.invitations.acceptLink(code, { name }, visit);
    if (!accepted) throw notFound('invitation');
    const { person, workspace } = accepted;
    const signedIn = await this.admission.admit({ person, workspace, via: 'invitation' }, visit);
    return this.admission.welcome(signedIn, reply);
  }
}

const browserOf = (request: FastifyRequest): string => {
  const value = cookieIn(request.cookies, BROWSER_COOKIE) ?? '';
  return /^[\w-]{43}$/.test(value) ? value : '';
};
