import { Body, Controller, Get, HttpCode, Inject, Post, type Type } from '@nestjs/common';
import type { CredentialKey } from '@quarterdeck/events';
import { credentialValue } from '@quarterdeck/events/inputs';
import type { CredentialValue, TokenValidity } from '@quarterdeck/projections';
import { Access, CurrentSession, Meta } from '../platform/access';
import type { CommandMeta, Session } from '../platform/session';
import { LOGGER, type Logger } from '../platform/tokens';
import { valid } from '../platform/validation';
import { Credentials } from './credentials';

/** Everybody has his own, and nobody names another's. */
const controllerOf = (key: CredentialKey, what: string): Type => {
  @Controller(`profile/${key}`)
  class CredentialController {
    constructor(
      @Inject(Credentials) private readonly credentials: Credentials,
      @Inject(LOGGER) private readonly logger: Logger,
    ) {}

    @Get('get')
    @Access('member', { summary: `One's own ${what}; empty when none is stored or it cannot be read` })
    get(@CurrentSession() session: Session): Promise<CredentialValue> {
      return this.credentials.get(key, session).catch((error: unknown) => {
        this.logger.warn({ err: error }, `${key} could not be read`);
        return { value: '' };
      });
    }

    @Post('update')
    @HttpCode(200)
    @Access('member', { summary: `Stores one's own ${what}` })
    update(@Meta() meta: CommandMeta, @Body(valid(credentialValue[key])) { value }: { value: string }) {
      return this.credentials.set(key, value, meta);
    }

    @Get('delete')
    @Access('member', { summary: `Removes one's own ${what}`, changes: true })
    delete(@Meta() meta: CommandMeta) {
      return this.credentials.remove(key, meta);
    }
  }
  return CredentialController;
};

@Controller('profile/token')
class TokenController {
  constructor(@Inject(Credentials) private readonly credentials: Credentials) {}

  @Get('validity')
  @Access('member', { summary: 'What the source host says of the stored token, asked again every few hours' })
  validity(@CurrentSession() session: Session): Promise<TokenValidity> {
    return this.credentials.validity(session);
  }
}

export const credentialControllers: Type[] = [
  controllerOf('gh-username', 'user name at the source-code host'),
  controllerOf('gh-token', 'token of the source-code host, masked'),
  TokenController,
];
