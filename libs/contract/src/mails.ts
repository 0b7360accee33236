/** The e-mails of products: how they come in, how they are read, and how they are sent again. */
import {
  byId,
  emailAttachment,
  emailInsert,
  emailList,
  emailResend,
  emailUpdate,
  emailWebhook,
  listPageWithin,
  nothing,
} from '@quarterdeck/events/inputs';
import { emailRow, emailView, listPageOf, mailTokenView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo, newRunId, page } from './demo';

const ofShop = { product: { id: demo.product } } as const;
const written = {
  from: 'shop@example.org',
  recipients: ['grace@example.org'],
  subject: 'Your order',
  body: 'It is on its way.',
} as const;
const id = { id: demo.email } as const;
const file = { shows: [], costs: 'work', answer: z.unknown() } as const;
const shown = { shows: 'emails', asOf: true } as const;

export const mails = calls('email', 'admin', {
  list: {
    summary: 'The newest 1,000 e-mails of a product, without their bodies',
    input: emailList,
    example: ofShop,
    answer: z.array(emailRow),
    wide: true,
    ...shown,
  },
  page: {
    summary: 'One page of the e-mails of a product; searches sender, recipients, subject and text',
    input: listPageWithin(emailList.shape),
    example: { ...ofShop, ...page, sort: '-logDateAdded', filters: { source: 'smtp' } },
    answer: listPageOf(emailRow),
    wide: true,
    ...shown,
  },
  detail: { summary: 'One e-mail', input: byId, example: id, answer: emailView, ...shown },
  insert: {
    summary: 'Records an e-mail that somebody writes',
    input: emailInsert,
    example: { data: { ...written, ...ofShop } },
    answer: ids,
    stales: 'emails',
    wide: true,
  },
  update: {
    summary: 'Changes an e-mail that was written in the console',
    input: emailUpdate,
    example: { ...id, data: written, revision: 1 },
    answer: ids,
    stales: 'emails',
  },
  delete: {
    summary: 'Deletes an e-mail for good',
    input: byId,
    example: id,
    answer: ids,
    stales: 'emails',
  },
  source: {
    summary: 'The source of an e-mail, up to 1 MB, as text',
    input: byId,
    example: id,
    answer: z.strictObject({ source: z.string(), cut: z.boolean() }),
    shows: 'emails',
  },
  html: {
    ...file,
    summary: 'The HTML of an e-mail as a page that can reach nothing, with its pictures in it',
    method: 'GET',
    path: 'html/:id',
    input: byId,
    example: id,
    produces: ['text/html'],
  },
  attachment: {
    ...file,
    summary: 'One attachment of an e-mail, as a download',
    method: 'GET',
    path: 'attachment/:id/:index',
    input: emailAttachment,
    example: { ...id, index: '0' },
    produces: ['application/octet-stream'],
  },
  download: {
    ...file,
    costs: 'file',
    summary: 'The whole e-mail as it came in, as a download',
    method: 'GET',
    path: 'download/:id',
    input: byId,
    example: id,
    produces: ['message/rfc822'],
  },
  resend: {
    summary:
      'Sends an e-mail again as a new one, through the mail server of the workspace, as a recorded run',
    input: emailResend,
    example: { ...id, recipients: ['grace@example.org'], runId: newRunId },
    answer: z.strictObject({ ...ids.shape, runId: z.string() }),
    stales: ['emails', 'runs'],
    wide: true,
  },
  intake: {
    summary: 'How products send e-mails in',
    input: nothing,
    answer: z.strictObject({
      /** Absent: this console does not listen for SMTP. */
      smtp: z.strictObject({ host: z.string(), port: z.int(), tls: z.boolean() }).optional(),
      maxBytes: z.int(),
    }),
    shows: [],
  },
  tokens: {
    summary: 'The tokens by which a product sends e-mails in, newest first',
    path: 'token/list',
    input: emailList,
    example: ofShop,
    answer: z.array(mailTokenView.extend({ uses: z.int().optional() })),
    shows: 'mailTokens',
    asOf: true,
    wide: true,
  },
  issue: {
    summary: 'A token for SMTP and a secret that signs webhooks, until they are revoked; shown once',
    path: 'token/issue',
    input: emailList,
    example: ofShop,
    answer: z.strictObject({ id: z.string(), token: z.string(), secret: z.string() }),
    stales: 'mailTokens',
    wide: true,
    receipt: false,
  },
  revoke: {
    summary: 'Revokes a token and its secret',
    path: 'token/revoke',
    input: byId,
    example: { id: demo.mailToken },
    answer: ids,
    stales: 'mailTokens',
  },
});

/** The door for products. Its calls know no session. */
export const mailIntake = calls('public/email', 'public', {
  receive: {
    summary:
      'Takes an e-mail from a product. Headers: `X-Quarterdeck-Token` (the id of the token) and `X-Quarterdeck-Signature` (`t=<unix seconds>,v1=<HMAC-SHA256 of "t.body" in hexadecimal>`)',
    access: 'public',
    input: emailWebhook,
    example: {
      message: 'RnJvbTogc2hvcEBleGFtcGxlLm9yZw0KDQpIaQ==',
      from: 'shop@example.org',
      recipients: ['grace@example.org'],
    },
    answer: ids,
    stales: 'emails',
    wide: true,
    receipt: false,
    maxBodyBytes: 15_000_000,
  },
});
