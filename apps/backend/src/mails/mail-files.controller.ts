/** What an e-mail consists of. A stranger wrote it, so nothing of it is ever a part of the console's own pages. */
import { toUSVString } from 'node:util';
import { Controller, Header, Inject, Req, StreamableFile } from '@nestjs/common';
import { mails as calls, type InputOf } from '@quarterdeck/contract';
import type { FastifyRequest } from 'fastify';
import { DomainError, notFound } from '../platform/errors';
import { Answers, type Asker } from '../platform/http';
import { threads } from '../platform/threads';
import { DB, type Pool } from '../platform/tokens';
import { fileOfMail, htmlOfMail } from './mail.jobs';
import { rawEmail } from './mails.queries';

/** Of a source that is shown as text. */
const MAX_SOURCE = 1024 * 1024;

/** A page in a frame of the console that runs nothing, asks nobody and leads nowhere. */
const FRAME_POLICY = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox',
].join('; ');

/** RFC 6266. What is left of a name is safe in a header and as a file. */
const attached = (name: string): string => {
  const plain = name.replaceAll(/[^\w.-]+/g, '_').slice(0, 100) || 'attachment';
  const whole = encodeURIComponent(toUSVString(name.replaceAll(/[\p{Cc}/\\]+/gu, '_').slice(0, 150)));
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole.replaceAll(/['()*]/g, '_')}`;
};

/** The parser refuses it, or it took all the memory of its thread. */
const unreadable = (error: unknown): never => {
  if (error instanceof DomainError) throw error;
  throw new DomainError('unprocessable', 'this e-mail cannot be parsed: only its source can be shown');
};

@Controller()
export class MailFilesController {
  constructor(@Inject(DB) private readonly db: Pool) {}

  @Answers(calls.source)
  async source({ id }: InputOf<typeof calls.source>, { session: { workspace } }: Asker) {
    const raw = await rawEmail(this.db, workspace, id);
    const source = raw.subarray(0, MAX_SOURCE).toString().replaceAll('\0', '\u2400');
    return { source, cut: raw.length > MAX_SOURCE };
  }

  @Answers(calls.html)
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', FRAME_POLICY)
  @Header('x-frame-options', 'SAMEORIGIN')
  @Header('x-content-type-options', 'nosniff')
  @Header('referrer-policy', 'no-referrer')
  @Header('x-dns-prefetch-control', 'off')
  @Header('cache-control', 'no-store')
  async html(
    { id }: InputOf<typeof calls.html>,
    { session: { workspace } }: Asker,
    @Req() { headers }: FastifyRequest,
  ) {
    // In a tab of its own, the e-mail could lead its reader away.
    if (headers['sec-fetch-dest'] === 'document')
      throw new DomainError('forbidden', 'the HTML of an e-mail is only shown inside the console');
    const raw = new Uint8Array(await rawEmail(this.db, workspace, id));
    const html = await threads.run(htmlOfMail, raw).catch(unreadable);
    if (html === undefined) throw notFound('HTML of this e-mail');
    return html;
  }

  @Answers(calls.attachment)
  @Header('content-security-policy', FRAME_POLICY)
  async attachment({ id, index }: InputOf<typeof calls.attachment>, { session: { workspace } }: Asker) {
    const raw = new Uint8Array(await rawEmail(this.db, workspace, id));
    const file = await threads.run(fileOfMail, { raw, index }).catch(unreadable);
    if (!file) throw notFound('attachment');
    return new StreamableFile(file.content, {
      type: 'application/octet-stream',
      disposition: attached(file.name),
      length: file.content.length,
    });
  }

  @Answers(calls.download)
  @Header('content-security-policy', FRAME_POLICY)
  async download({ id }: InputOf<typeof calls.download>, { session: { workspace } }: Asker) {
    const raw = await rawEmail(this.db, workspace, id);
    return new StreamableFile(raw, {
      type: 'message/rfc822',
      disposition: attached(`${id}.eml`),
      length: raw.length,
    });
  }
}
