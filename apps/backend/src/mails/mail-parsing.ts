/**
 * Parses e-mails after they were stored, one after the other, in the order in which they came in. What a process did not
 * finish, another one does.
 */
import { AsyncResource } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { LeasedRounds, Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { threads } from '../platform/threads';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { transaction } from '../platform/database';
import { factsOfMail, type MailFacts, unreadFacts } from './mail.jobs';
import { emailDecider, RecordParsing } from './mails.decider';
import { rawOf } from './mails.queries';

const EVERY_MS = 30_000;
/** Characters of the text that a search looks through. */
const SEARCHED = 20_000;

interface Unparsed {
  id: string;
  workspace: string;
  envelope_from: string;
  envelope_to: string[];
}

const NEXT = `
  select id, workspace, envelope_from, envelope_to from app.emails
  where parsed_at is null order by received_at limit 1`;

@Injectable()
export class MailParsing extends LeasedRounds {
  private working: Promise<void> | undefined;
  private again = false;
  private ended = false;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    private readonly decisions: Decisions,
    leases: Leases,
  ) {
    super(leases, logger, { lease: 'mail-parsing', what: 'the parsing of e-mails', everyMs: EVERY_MS });
  }

  override async onModuleDestroy(): Promise<void> {
    this.ended = true;
    await super.onModuleDestroy();
    await this.working;
  }

  protected round(): Promise<void> {
    return this.parseNew();
  }

  /** Nobody needs to wait for it. */
  parseNew(): Promise<void> {
    this.again = true;
    this.working ??= this.workOnItsOwn().finally(() => (this.working = undefined));
    return this.working;
  }

  /** Not as a part of the call that stored the e-mail, whose limits and instant it must not inherit. */
  private readonly workOnItsOwn = AsyncResource.bind(() => this.work());

  private async work(): Promise<void> {
    try {
      while (this.again && !this.ended) {
        this.again = false;
        while (!this.ended && (await this.parseNext()));
      }
    } catch (error) {
      // Its row is still there: the next round parses it.
      this.logger.warn({ err: error }, 'an e-mail could not be parsed now');
    }
  }

  /** @returns whether there was one */
  private parseNext(): Promise<boolean> {
    return transaction(this.db, async (client) => {
      const { rows } = await client.query<Unparsed>(NEXT);
      const [mail] = rows;
      if (!mail) return false;
      const { id } = mail;
      // Another process parses it.
      const lock = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as mine';
      const { rows: locked } = await client.query<{ mine: boolean }>(lock, [`mail:${id}`]);
      if (!locked[0]?.mine) return false;
      await this.keep(mail, await this.factsOf(await rawOf(client, mail.workspace, id)));
      return true;
    });
  }

  /** What is shown is there before the event, which makes pages ask for it. If it ends in between, it is parsed again. */
  private async keep(
    { id, workspace, envelope_from, envelope_to }: Unparsed,
    facts: MailFacts,
  ): Promise<void> {
    const { problem, files } = facts;
    const sender = facts.sender === '' ? envelope_from : facts.sender;
    const recipients = facts.recipients.length === 0 ? envelope_to : facts.recipients;
    const search = [sender, ...recipients, envelope_from, ...envelope_to, facts.subject, facts.text];
    await this.db.query(
      `update app.emails set sender = $2, recipients = $3, subject = $4,
           sent_at = $5, message_id = $6, body = $7, cut = $8, html = $9, files = $10, search = lower($11)
         where id = $1`,
      [
        id,
        sender,
        recipients,
        facts.subject,
        facts.date ?? null,
        facts.messageId ?? null,
        facts.text,
        facts.cut,
        facts.html,
        JSON.stringify(files),
        search.join('\n').slice(0, SEARCHED),
      ],
    );
    const parsed = { attachments: files.length, ...(problem && { problem }) };
    try {
      await this.decisions.execute(emailDecider, new RecordParsing(id, parsed, ownMeta('system', workspace)));
    } catch (error) {
      // The e-mail was removed in the meantime.
      if (!(error instanceof DomainError)) throw error;
    }
    await this.db.query('update app.emails set parsed_at = clock_timestamp() where id = $1', [id]);
  }

  private async factsOf(raw: Buffer): Promise<MailFacts> {
    try {
      return await threads.run(factsOfMail, new Uint8Array(raw));
    } catch (error) {
      // It took too long or too much memory, and would again.
      this.logger.info({ err: error }, 'an e-mail is kept as source');
      return unreadFacts('tooMuch');
    }
  }
}
