import { Controller, Inject, Req } from '@nestjs/common';
import { secondFactors, type InputOf } from '@quarterdeck/contract';
import type { FastifyRequest } from 'fastify';
import { Answers, type Asker, written } from '../platform/http';
import { CONFIG, type Config } from '../platform/tokens';
import { OwnFactors } from './own-factors';
import { passkeySite, type PasskeySite } from './passkey-site';
import { Proofs } from './proofs';

/** People have their own second factors, and no call names another person. */
@Controller()
export class SecondFactorsController {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
    private readonly own: OwnFactors,
    private readonly proofs: Proofs,
  ) {}

  @Answers(secondFactors.state)
  state(_: object, { session }: Asker, @Req() request: FastifyRequest) {
    return this.proofs.state(session, this.site(request));
  }

  @Answers(secondFactors.list)
  list(_: object, { session }: Asker, @Req() request: FastifyRequest) {
    return this.own.list(session, this.site(request));
  }

  @Answers(secondFactors.totpBegin)
  totpBegin(_: object, { session, meta }: Asker) {
    return this.own.beginTotp(session, meta);
  }

  @Answers(secondFactors.totpConfirm)
  totpConfirm(input: InputOf<typeof secondFactors.totpConfirm>, { session, meta }: Asker) {
    return this.own.confirmTotp(input, session, meta);
  }

  @Answers(secondFactors.passkeyBegin)
  async passkeyBegin(_: object, { session, meta }: Asker, @Req() request: FastifyRequest) {
    return { options: { ...(await this.own.beginPasskey(session, this.site(request), meta)) } };
  }

  @Answers(secondFactors.passkeyConfirm)
  passkeyConfirm(
    input: InputOf<typeof secondFactors.passkeyConfirm>,
    { session, meta }: Asker,
    @Req() request: FastifyRequest,
  ) {
    return this.own.confirmPasskey(input, session, this.site(request), meta);
  }

  @Answers(secondFactors.rename)
  async rename(input: InputOf<typeof secondFactors.rename>, { session, meta }: Asker) {
    return written({ id: input.id }, await this.own.rename(input, session, meta));
  }

  @Answers(secondFactors.remove)
  async remove({ id }: InputOf<typeof secondFactors.remove>, { session, meta }: Asker) {
    return written({ id }, await this.own.remove(id, session, meta));
  }

  @Answers(secondFactors.recoveryCodes)
  recoveryCodes(_: object, { session, meta }: Asker) {
    return this.own.makeCodes(session, meta);
  }

  @Answers(secondFactors.giveTotp)
  async giveTotp(
    { code }: InputOf<typeof secondFactors.giveTotp>,
    { session, meta }: Asker,
    @Req() { ip }: FastifyRequest,
  ) {
    return written({}, await this.proofs.giveTotp(code, session, ip, meta));
  }

  @Answers(secondFactors.giveRecovery)
  async giveRecovery({ code }: InputOf<typeof secondFactors.giveRecovery>, { session, meta }: Asker) {
    return written({}, await this.proofs.giveRecovery(code, session, meta));
  }

  @Answers(secondFactors.passkeyOptions)
  async passkeyOptions(_: object, { session }: Asker, @Req() request: FastifyRequest) {
    return { options: { ...(await this.proofs.passkeyOptions(session, this.site(request))) } };
  }

  @Answers(secondFactors.givePasskey)
  async givePasskey(
    input: InputOf<typeof secondFactors.givePasskey>,
    { session, meta }: Asker,
    @Req() request: FastifyRequest,
  ) {
    return written({}, await this.proofs.givePasskey(input, session, this.site(request), meta));
  }

  private site({ headers }: FastifyRequest): PasskeySite {
    return passkeySite(this.config.PUBLIC_URL, headers.host);
  }
}
