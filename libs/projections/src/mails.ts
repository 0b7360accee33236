/**
 * What the log knows about the e-mails of products: sizes and states. Addresses and texts are in `app.emails`, which the
 * back end joins.
 */
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';
import { tokenRows, tokenView } from './token-rows';

export const emailSources = ['smtp', 'webhook', 'console', 'resend'] as const;

export interface StoredEmail {
  id: string;
  workspace: string;
  product: { id: string };
  productId: string;
  source: (typeof emailSources)[number];
  /** Id of the e-mail that this one repeats. */
  resentFrom?: string;
  bytes: number;
  sha256: string;
  attachments: number;
  /** `received`: not parsed yet. The last two are shown as source only. */
  state: 'received' | 'parsed' | 'malformed' | 'tooMuch';
  at: string;
  revision: number;
  position: string;
}

const one = z.strictObject({ id: z.string() });

const row = {
  id: z.string(),
  uuid: z.string(),
  product: one,
  /** Empty if the e-mail does not say, or is not parsed yet. */
  from: z.string(),
  recipients: z.array(z.string()),
  subject: z.string(),
  logDateAdded: z.string(),
  source: z.enum(emailSources),
  bytes: z.int(),
  attachments: z.int(),
  state: z.enum(['received', 'parsed', 'malformed', 'tooMuch']),
  resentFrom: one.optional(),
  revision: z.int(),
};

export const emailRow = z.strictObject(row).meta({ id: 'EmailRow' });
export interface EmailRow extends z.infer<typeof emailRow> {}

export const emailView = z
  .strictObject({
    ...row,
    /** As the e-mail says it. */
    date: z.string().optional(),
    messageId: z.string().optional(),
    /** Its text, or the text of its HTML. */
    body: z.string(),
    /** The text is longer than what is shown. */
    cut: z.boolean(),
    html: z.boolean(),
    /** What the server that sent it in said, which also has the recipients of blind copies. */
    envelope: z.strictObject({ from: z.string(), recipients: z.array(z.string()) }),
    files: z.array(z.strictObject({ index: z.int(), name: z.string(), type: z.string(), bytes: z.int() })),
    /** The e-mails that repeat this one, newest first, each with its run. */
    resends: z.array(z.strictObject({ id: z.string(), run: z.string().optional(), at: z.string() })),
    /** The run that sent this one. */
    run: z.string().optional(),
    /** Written in the console, so it may be changed. */
    editable: z.boolean(),
  })
  .meta({ id: 'Email' });
export interface EmailView extends z.infer<typeof emailView> {}

export const emails = defineProjection<StoredEmail>({
  name: 'emails',
  version: 1,
  columns: { productId: 'text', at: 'timestamptz', resentFrom: 'text' },
  indexes: ['(workspace, "productId", at)', '("resentFrom") where "resentFrom" is not null'],
  ...rowPerStream('email'),
  evolve: (view, event, id) => {
    const { meta, revision, position } = event;
    if (event.type === 'EmailRecorded') {
      const { product, source, bytes, sha256, resentFrom } = event.data;
      return {
        id,
        workspace: meta.workspace,
        product: { id: product },
        productId: product,
        source,
        ...(resentFrom === undefined ? {} : { resentFrom }),
        bytes,
        sha256,
        attachments: 0,
        state: 'received',
        at: meta.at,
        revision,
        position,
      };
    }
    if (!view || event.type === 'EmailRemoved') return undefined;
    if (event.type === 'EmailParsed') {
      const { attachments, problem = 'parsed' } = event.data;
      return { ...view, attachments, state: problem, revision, position };
    }
    return event.type === 'EmailRevised'
      ? { ...view, ...event.data, state: 'received', revision, position }
      : view;
  },
});

export const mailTokenView = z.strictObject({ ...tokenView, product: one }).meta({ id: 'MailToken' });
export interface MailTokenView extends z.infer<typeof mailTokenView> {}

interface StoredMailToken extends MailTokenView {
  workspace: string;
  productId: string;
  secretRef: string;
  revision: number;
  position: string;
}

export const mailTokens = tokenRows<'MailToken', StoredMailToken>({
  name: 'mail_tokens',
  category: 'mailtoken',
  stem: 'MailToken',
  owner: 'productId',
  fields: ({ product: { id }, secret }) => ({ product: { id }, productId: id, secretRef: secret.ref }),
});
