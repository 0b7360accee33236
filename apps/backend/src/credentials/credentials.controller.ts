import { Controller, Inject, type Type } from '@nestjs/common';
import { ghToken, ghUsername, storedToken, type InputOf } from '@quarterdeck/contract';
import type { CredentialKey } from '@quarterdeck/events';
import { Answers, type Asker } from '../platform/http';
import { LOGGER, type Logger } from '../platform/tokens';
import { Credentials } from './credentials';

/** People have their own credentials, and no call names another person. */
const controllerOf = (key: CredentialKey, calls: typeof ghUsername): Type => {
  @Controller()
  class CredentialController {
    constructor(
      private readonly credentials: Credentials,
      @Inject(LOGGER) private readonly logger: Logger,
    ) {}

    @Answers(calls.get)
    get(_: object, { session }: Asker) {
      return this.credentials.get(key, session).catch((error: unknown) => {
        this.logger.warn({ err: error }, `${key} could not be read`);
        return { value: '' };
      });
    }

    @Answers(calls.update)
    update({ value }: InputOf<typeof calls.update>, { meta }: Asker) {
      return this.credentials.set(key, value, meta);
    }

    @Answers(calls.delete)
    delete(_: object, { meta }: Asker) {
      return this.credentials.remove(key, meta);
    }
  }
  return CredentialController;
};

@Controller()
class TokenController {
  constructor(private readonly credentials: Credentials) {}

  @Answers(storedToken.validity)
  validity(_: object, { session }: Asker) {
    return this.credentials.validity(session);
  }
}

export const credentialControllers: Type[] = [
  controllerOf('gh-username', ghUsername),
  controllerOf('gh-token', ghToken),
  TokenController,
];
