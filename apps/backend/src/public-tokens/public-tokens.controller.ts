import { Controller, Header } from '@nestjs/common';
import { publicTokens as calls, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, done, written } from '../platform/http';
import { PublicTokens } from './public-tokens';

@Controller()
export class PublicTokensController {
  constructor(private readonly tokens: PublicTokens) {}

  @Answers(calls.list)
  list({ product }: InputOf<typeof calls.list>, { session }: Asker) {
    return this.tokens.list(product.id, session.workspace);
  }

  @Answers(calls.issue)
  @Header('cache-control', 'no-store')
  async issue({ product }: InputOf<typeof calls.issue>, { meta }: Asker) {
    const { position, id, token } = await this.tokens.issue(product.id, meta);
    return written({ id, uuid: id, token }, position);
  }

  @Answers(calls.revoke)
  async revoke({ id }: InputOf<typeof calls.revoke>, { meta }: Asker) {
    return done(await this.tokens.revoke(id, meta));
  }
}
