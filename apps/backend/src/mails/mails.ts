/**
 * Takes e-mails in. The whole message and its event are stored first, so that nothing that was acknowledged is ever lost;
 * it is parsed afterwards (`mail-parsing.ts`).
 */
import { createHash } from 'node:crypto';
import { toUSVString } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { product as productNoun, type EventData, type Position } from '@quarterdeck/events';
import type { StoredEmail } from '@quarterdeck/projections';
import type { PoolClient } from 'pg';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { transaction } from '../platform/database';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { inView } from '../platform/in-view';
import { requireNamed } from '../platform/kit';
import { type CommandMeta, idFor } from '../platform/sessions';
import { threads } from '../platform/threads';
import { DB, type Pool } from '../platform/tokens';
import { messageOf } from './mail.jobs';
import { MailParsing } from './mail-parsing';
import { emailDecider, RecordEmail, RemoveEmail, ReviseEmail } from './mails.decider';

const recorded = inView<StoredEmail>('view');

export const MAX_MAIL_BYTES = 10 * 1024 * 1024;
/** Of one product. */
const MAX_STORED_BYTES = 4 * 1024 ** 3;

export interface Envelope {
  from: string;
  recipients: readonly string[];
}

export interface Message {
  raw: Buffer;
  envelope: Envelope;
}

interface Written {
  from: string;
  recipients: string[];
  subject?: string | undefined;
  body: string;
}

type Recorded = Pick<EventData<'EmailRecorded'>, 'product' | 'source' | 'token' | 'resentFrom'>;

const clean = (text: string): string => toUSVString(text.replaceAll('\0', '').slice(0, 1000));
const sha256Of = (raw: Buffer): string => createHash('sha256').update(raw).digest('hex');

/** An e-mail names itself. Sent in once more with the same bytes, because its answer was lost, it is the same one. */
const namesItself = (raw: Buffer): boolean => {
  const head = raw.subarray(0, 64 * 1024).toString('latin1');
  return /^message-id:/im.test(head.split(/\r?\n\r?\n/, 1)[0] ?? '');
};

@Injectable()
export class Mails {
  /** E-mails are stored one after the other: many at once would take all connections from the calls of people. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly decisions: Decisions,
    private readonly parsing: MailParsing,
  ) {}

  /** @throws DomainError `notFound` */
  product(id: string, workspace: string): Promise<{ id: string; name: string }> {
    return requireNamed(productNoun, this.db, workspace, id);
  }

  /**
   * @param within is done in the same transaction
   * @throws DomainError `unavailable` if the product has stored too much
   */
  record(
    message: Message,
    what: Recorded,
    meta: CommandMeta,
    within: (client: PoolClient) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Decision> {
    const stored = this.turn.then(() => this.store(message, what, meta, within));
    this.turn = stored.catch(() => undefined);
    return stored;
  }

  private async store(
    { raw, envelope }: Message,
    what: Recorded,
    meta: CommandMeta,
    within: (client: PoolClient) => Promise<unknown>,
  ): Promise<Decision> {
    const { workspace } = meta;
    const data = { ...what, bytes: raw.length, sha256: sha256Of(raw) };
    const [from, recipients] = [clean(envelope.from), envelope.recipients.map(clean)];
    const id = await this.idOf(raw, { from, recipients }, data, meta);
    const decision = await transaction(this.db, async (client) => {
      await this.refuseTooMuch(client, what.product, raw.length);
      await within(client);
      await client.query(
        `insert into app.emails (id, workspace, product, raw, envelope_from, envelope_to, search)
         values ($1, $2, $3, $4, $5, $6, lower($7)) on conflict (id) do nothing`,
        [id, workspace, what.product, raw, from, recipients, [from, ...recipients].join('\n')],
      );
      return this.decisions.execute(emailDecider, new RecordEmail(id, data, meta));
    });
    void this.parsing.parseNew();
    return decision;
  }

  /** @throws DomainError if it is not one that was written in the console */
  async revise(id: string, written: Written, meta: CommandMeta, revision?: number): Promise<Decision> {
    const { workspace } = meta;
    const raw = await this.composed(id, written, meta);
    const { from, recipients } = written;
    const data = { bytes: raw.length, sha256: sha256Of(raw) };
    const decision = await transaction(this.db, async (client) => {
      await client.query('select from app.emails where id = $1 and workspace = $2 for update', [
        id,
        workspace,
      ]);
      const decided = await this.decisions.execute(emailDecider, new ReviseEmail(id, data, meta, revision));
      if (decided.written > 0)
        await client.query(
          `update app.emails set raw = $2, envelope_from = $3, envelope_to = $4, parsed_at = null where id = $1`,
          [id, raw, from, recipients],
        );
      return decided;
    });
    void this.parsing.parseNew();
    return decision;
  }

  async write(product: string, written: Written, meta: CommandMeta): Promise<Decision> {
    await this.product(product, meta.workspace);
    const raw = await this.composed(idFor('email', meta), written, meta);
    const envelope = { from: written.from, recipients: written.recipients };
    return this.record({ raw, envelope }, { product, source: 'console' }, meta);
  }

  /** Records first, so that nothing is deleted without a trace. A repetition finishes what was interrupted. */
  async remove(
    id: string,
    why: EventData<'EmailRemoved'>,
    meta: CommandMeta,
  ): Promise<{ id: string; position: Position }> {
    const decision = await this.decisions.execute(emailDecider, new RemoveEmail(id, why, meta));
    await this.db.query('delete from app.emails where id = $1 and workspace = $2', [id, meta.workspace]);
    return decision;
  }

  private async composed(id: string, written: Written, { at }: CommandMeta): Promise<Buffer> {
    const { from, recipients, subject = '', body } = written;
    return Buffer.from(await threads.run(messageOf, { from, recipients, subject, body, at, id }));
  }

  private async idOf(
    raw: Buffer,
    envelope: Envelope,
    { product, sha256, source }: EventData<'EmailRecorded'>,
    meta: CommandMeta,
  ): Promise<string> {
    if (source === 'console' || source === 'resend') return idFor('email', meta);
    if (!namesItself(raw)) return uuidv7();
    const id = uuidv5(JSON.stringify([sha256, envelope]), product);
    const { state } = await this.decisions.load(emailDecider, id, meta.workspace);
    return state.is === 'removed' ? uuidv7() : id;
  }

  private async refuseTooMuch(client: PoolClient, product: string, bytes: number): Promise<void> {
    const { rows } = await client.query<{ stored: string }>(
      `select coalesce(sum((${recorded.text('bytes')})::bigint), 0) as stored from read.emails where "productId" = $1`,
      [product],
    );
    if (Number(rows[0]?.stored) + bytes > MAX_STORED_BYTES)
      throw new DomainError('unavailable', 'the e-mails of this product take too much room: delete some');
  }
}
