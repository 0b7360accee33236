/** Sends an e-mail again, as a new one that is linked to it, in a recorded run. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { Outbound } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { type LocalIo, RunEngine, type RunContext, type RunKind, StepFailed } from '../runs';
import { ANSWER_MS, handOver, type Outcome } from './mail-sending';
import { MailServers } from './mail-server';
import { type Envelope, Mails } from './mails';
import { rawOf } from './mails.queries';

const TIMEOUT_MS = 2 * 60_000;

interface Sent {
  envelope_from: string;
  envelope_to: string[];
  outcome: string | null;
  product: string;
}

/** Words of a server may name a recipient, and what a run records stays for ever. The output of the run has them whole. */
export const withoutAddresses = (words: string): string =>
  words.replaceAll(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '(address)');

/** RFC 5322, section 3.6.6: what an earlier message said stays as it was, below. */
const resent = (raw: Buffer, { from, recipients }: Envelope, id: string, at: string): Buffer => {
  const date = new Date(at).toUTCString().replace('GMT', '+0000');
  const lines = [
    ...(from === '' ? [] : [`Resent-From: <${from}>`]),
    `Resent-To: ${recipients.map((address) => `<${address}>`).join(',\r\n ')}`,
    `Resent-Date: ${date}`,
    `Resent-Message-ID: <${id}@quarterdeck>`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), raw]);
};

@Injectable()
export class MailResending implements OnModuleInit {
  /** Tests wait less. */
  readonly patience = { answerMs: ANSWER_MS };

  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly mails: Mails,
    private readonly servers: MailServers,
    private readonly runs: RunEngine,
    private readonly outbound: Outbound,
  ) {}

  onModuleInit(): void {
    this.runs.register(this.kind());
  }

  /** @throws DomainError if there is no server, or nobody to send it to */
  async resend(
    { id, recipients, runId }: { id: string; recipients?: string[] | undefined; runId: string },
    meta: CommandMeta,
  ): Promise<{ id: string; runId: string; position: Position }> {
    const { workspace } = meta;
    // Comes first, so that a missing e-mail is a 404 even without a mail server.
    const { envelope_from, envelope_to, product } = await this.kept(id, workspace);
    await this.servers.of(workspace);
    const envelope = { from: envelope_from, recipients: recipients ?? envelope_to };
    if (envelope.recipients.length === 0)
      throw invalidField('recipients', 'nobody is known to have got this e-mail: say who shall get it');
    const raw = await rawOf(this.db, workspace, id);
    const message = { raw: resent(raw, envelope, runId, meta.at), envelope };
    const what = { product, source: 'resend', resentFrom: id } as const;
    const mail = await this.mails.record(message, what, meta);
    await this.db.query('update app.emails set run = $2 where id = $1', [mail.id, runId]);
    const subject = { kind: 'email', id: mail.id, name: 'e-mail' };
    const { position } = await this.runs.start(runId, 'resendEmail', { subject, input: {} }, meta);
    return { id: mail.id, runId, position };
  }

  private kind(): RunKind {
    return {
      kind: 'resendEmail',
      changes: false,
      steps: [
        {
          name: 'send',
          on: 'console',
          timeoutMs: TIMEOUT_MS,
          repeatable: false,
          perform: (context, io) => this.send(context, io),
        },
      ],
      stillFits: async ({ subject: { id } }, workspace) => {
        const { outcome } = await this.kept(id, workspace);
        if (outcome !== null && outcome !== 'refused')
          throw new DomainError(
            'unprocessable',
            outcome === 'accepted'
              ? 'the server has accepted this e-mail: resend the original to send it once more'
              : 'this e-mail may have been delivered: ask its recipient, and resend the original if it was not',
          );
      },
    };
  }

  private async send({ request }: RunContext, io: LocalIo): Promise<{ report: Record<string, string> }> {
    const { id } = request.subject;
    const { workspace } = io.meta;
    const { envelope_from: from, envelope_to: recipients } = await this.kept(id, workspace);
    const raw = await rawOf(this.db, workspace, id);
    const server = await this.servers.of(workspace);
    const settle = async (outcome: string | null): Promise<void> =>
      void (await this.db.query('update app.emails set outcome = $2 where id = $1', [id, outcome]));
    io.print(`Sending to ${recipients.join(', ')} through ${server.host}:${server.port}.\n`);
    const outcome = await handOver(
      this.outbound,
      server,
      { raw, envelope: { from, recipients } },
      { signal: io.signal, handing: () => settle('unknown'), ...this.patience },
    );
    io.print(`${lineOf[outcome.is]}: ${outcome.words}\n`);
    if (outcome.is !== 'unknown') await settle(outcome.is === 'unreachable' ? null : outcome.is);
    if (outcome.is !== 'accepted') throw failureOf(outcome);
    for (const address of outcome.refused) io.print(`Not accepted for ${address}.\n`);
    const [all, refused] = [recipients.length, outcome.refused.length];
    return { report: { accepted: String(all - refused), refused: String(refused) } };
  }

  private async kept(id: string, workspace: string): Promise<Sent> {
    const { rows } = await this.db.query<Sent>(
      `select envelope_from, envelope_to, outcome, product from app.emails where id = $1 and workspace = $2`,
      [id, workspace],
    );
    if (!rows[0]) throw notFound('email');
    return rows[0];
  }
}

const lineOf: Record<Outcome['is'], string> = {
  accepted: 'Accepted',
  refused: 'Refused',
  unreachable: 'Not sent',
  unknown: 'Not known',
};

const failureOf = ({ is, words }: Exclude<Outcome, { is: 'accepted' }>): StepFailed => {
  const said = withoutAddresses(words);
  switch (is) {
    case 'refused':
      return new StepFailed('refused', `The server refused the e-mail: ${said}`);
    case 'unreachable':
      return new StepFailed('unreachable', `Nothing was sent: ${said}`);
    case 'unknown':
      return new StepFailed(
        'unknown',
        `The server got the e-mail and did not say whether it accepts it (${said}). It may be delivered.`,
      );
  }
};
