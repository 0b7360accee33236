import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { SignInProvider } from '@quarterdeck/events';
import { instanceExists, invitationAccept, providerCallback } from '@quarterdeck/events/inputs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Invitations } from '../people';
import { Access } from '../platform/access';
import { notFound } from '../platform/errors';
import { FailedAttempts } from '../platform/failed-attempts';
import { randomSecret } from '../platform/session-store';
import { valid } from '../platform/validation';
import { Admission, denied, visitOf } from '../sessions';
import { ATTEMPT_SECONDS } from './attempts';
import { ProviderSignIn } from './provider-sign-in';
import { Providers } from './providers';

/** Binds a sign-in that is on its way to the browser that began it; one browser may have several on their way. */
const BROWSER_COOKIE = 'qd_sign_in';

@Controller('auth')
export class SignInController {
  constructor(
    @Inject(Providers) private readonly providers: Providers,
    @Inject(ProviderSignIn) private readonly signIn: ProviderSignIn,
    @Inject(Invitations) private readonly invitations: Invitations,
    @Inject(Admission) private readonly admission: Admission,
    @Inject(FailedAttempts) private readonly failures: FailedAttempts,
  ) {}

  @Get('providers')
  @Access('public', { summary: 'By which providers one signs in here, the source host first' })
  list(): { name: SignInProvider; label: string }[] {
    return this.providers.all.map(({ name, label }) => ({ name, label }));
  }

  @Get('sso/:provider/url')
  @Access('public', { summary: 'Where the browser goes to sign in or up by a provider', changes: true })
  async url(
    @Param('provider') name: string,
    @Query(valid(instanceExists)) { instance }: z.infer<typeof instanceExists>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ url: string }> {
    const provider = this.providers.named(name);
    const browser = browserOf(request) || randomSecret();
    const url = await this.signIn.begin(provider, instance, browser);
    const { path, ...cookie } = this.admission.cookie();
    void reply.setCookie(BROWSER_COOKIE, browser, {
      ...cookie,
      path: `${path}api/auth/sso`,
      maxAge: ATTEMPT_SECONDS,
    });
    return { url };
  }

  @Get('sso/:provider/redirect')
  @Access('public', { summary: 'Signs in with what the provider sent the browser back with', changes: true })
  redirect(
    @Param('provider') name: string,
    @Query(valid(providerCallback)) callback: z.infer<typeof providerCallback>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.failures.counting(request.ip, async () => {
      const provider = this.providers.named(name);
      const visit = visitOf(request);
      const signedIn = await this.signIn.finish(provider, callback, browserOf(request), visit);
      return this.admission.welcome(signedIn, reply);
    });
  }

  @Post('invitation')
  @HttpCode(200)
  @Access('public', {
    summary: 'Accepts the invitation of a link where there is no provider',
    receipt: false,
  })
  invitation(
    @Body(valid(invitationAccept)) { code, name }: z.infer<typeof invitationAccept>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.failures.counting(request.ip, async () => {
      if (this.providers.all.length > 0) throw denied('links-off');
      const visit = visitOf(request);
      const accepted = await this.invitations.acceptLink(code, { name }, visit);
      if (!accepted) throw notFound('invitation');
      const { person, workspace } = accepted;
      const signedIn = await this.admission.admit({ person, workspace, via: 'invitation' }, visit);
      return this.admission.welcome(signedIn, reply);
    });
  }
}

const browserOf = (request: FastifyRequest): string => {
  const value = request.cookies[BROWSER_COOKIE] ?? '';
  return /^[\w-]{43}$/.test(value) ? value : '';
};
