import { Controller, Header, Inject, Req } from '@nestjs/common';
import { mailIntake, mails as calls, workspaces, type InputOf } from '@quarterdeck/contract';
import type { FastifyRequest } from 'fastify';
import { bytesOfBase64 } from '../platform/base64';
import { DomainError, invalidField } from '../platform/errors';
import { Answers, type Asker, done, withCurrentOnConflict, written } from '../platform/http';
import { idFor, ownMeta } from '../platform/sessions';
import { DB, PROJECTIONS, type Pool, type ProjectionRunner } from '../platform/tokens';
import { MailResending } from './mail-resending';
import { MailServers } from './mail-server';
import { MailTokens } from './mail-tokens';
import { MailWebhook, signatureIn } from './mail-webhook';
import { MAX_MAIL_BYTES, Mails } from './mails';
import { emailDetail, listedEmails, pageOfEmails } from './mails.queries';
import { SmtpIntake } from './smtp-intake';

@Controller()
export class MailsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly mails: Mails,
    private readonly resending: MailResending,
  ) {}

  @Answers(calls.list)
  async list({ product }: InputOf<typeof calls.list>, { session: { workspace } }: Asker) {
    await this.mails.product(product.id, workspace);
    return listedEmails(this.db, workspace, product.id);
  }

  @Answers(calls.page)
  async page({ product, ...asked }: InputOf<typeof calls.page>, { session: { workspace } }: Asker) {
    await this.mails.product(product.id, workspace);
    return pageOfEmails(this.db, workspace, product.id, asked);
  }

  @Answers(calls.detail)
  async detail({ id }: InputOf<typeof calls.detail>, { session: { workspace } }: Asker) {
    const found = await emailDetail(this.db, workspace, id);
    await this.mails.product(found.product.id, workspace);
    return found;
  }

  @Answers(calls.insert)
  async insert({ data: { product, ...data } }: InputOf<typeof calls.insert>, { meta }: Asker) {
    return done(await this.mails.write(product.id, data, meta));
  }

  @Answers(calls.update)
  async update({ id, data, revision }: InputOf<typeof calls.update>, { meta }: Asker) {
    const edit = () => this.mails.revise(id, data, meta, revision);
    const shown = () => emailDetail(this.db, meta.workspace, id);
    return done(await withCurrentOnConflict(this.projections, edit, shown));
  }

  @Answers(calls.delete)
  async delete({ id }: InputOf<typeof calls.delete>, { meta }: Asker) {
    return done(await this.mails.remove(id, {}, meta));
  }

  @Answers(calls.resend)
  async resend({ id, recipients, runId: chosen }: InputOf<typeof calls.resend>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const sent = await this.resending.resend({ id, recipients, runId }, meta);
    return written({ id: sent.id, uuid: sent.id, runId }, sent.position);
  }
}

/** How e-mails come in. */
@Controller()
export class MailIntakeController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly mails: Mails,
    private readonly tokens: MailTokens,
    private readonly servers: MailServers,
    private readonly smtp: SmtpIntake,
    private readonly webhook: MailWebhook,
  ) {}

  @Answers(calls.intake)
  intake() {
    const { place } = this.smtp;
    return { ...(place && { smtp: place }), maxBytes: MAX_MAIL_BYTES };
  }

  @Answers(calls.tokens)
  async listTokens({ product }: InputOf<typeof calls.tokens>, { session: { workspace } }: Asker) {
    await this.mails.product(product.id, workspace);
    return this.tokens.list(product.id, workspace);
  }

  @Answers(calls.issue)
  @Header('cache-control', 'no-store')
  async issue({ product }: InputOf<typeof calls.issue>, { meta }: Asker) {
    const known = await this.mails.product(product.id, meta.workspace);
    const { position, ...issued } = await this.tokens.issue(known, meta);
    return written(issued, position);
  }

  @Answers(calls.revoke)
  async revoke({ id }: InputOf<typeof calls.revoke>, { meta }: Asker) {
    return done(await this.tokens.revoke(id, meta));
  }

  @Answers(workspaces.mailServer)
  mailServer({ server, revision }: InputOf<typeof workspaces.mailServer>, { meta }: Asker) {
    return this.servers.set(server, meta, revision);
  }

  @Answers(mailIntake.receive)
  async receive(
    { message, from = '', recipients = [] }: InputOf<typeof mailIntake.receive>,
    _asker: Asker,
    @Req() request: FastifyRequest,
  ) {
    const sender = await this.webhook.senderOf(request);
    const raw = bytesOfBase64(message);
    if (!raw) throw invalidField('message', 'a whole e-mail in base64 is expected');
    if (raw.length > MAX_MAIL_BYTES)
      throw invalidField('message', `an e-mail has at most ${MAX_MAIL_BYTES} bytes`);
    const what = { product: sender.product, source: 'webhook', token: sender.id } as const;
    const stored = await this.mails.record(
      { raw, envelope: { from, recipients } },
      what,
      ownMeta('system', sender.workspace),
      async (client) => {
        const { rowCount } = await client.query(
          'insert into app.mail_webhooks (signature) values ($1) on conflict do nothing',
          [signatureIn(request)],
        );
        if (rowCount === 0)
          throw new DomainError(
            'conflict',
            'this request was received before: sign it again with a new time',
          );
        await this.tokens.use(sender, client);
      },
    );
    return done(stored);
  }
}
