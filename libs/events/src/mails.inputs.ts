/** Input schemas of the calls about e-mails. The console's forms use the same schemas. */
import { z } from 'zod';
import {
  boolean,
  anyText,
  array,
  email,
  integer,
  longText,
  messages,
  numericId,
  object,
  oneOf,
  optionalLine,
  optionalText,
  text,
  uuid,
} from './rules';

const one = object({ id: uuid });

export const MAX_RECIPIENTS = 100;
/** Of the text of an e-mail that is written in the console. */
export const MAX_EMAIL_BODY = 100_000;

/** A list, or one line with commas between the addresses. */
const recipients = z
  .union([array(email, MAX_RECIPIENTS), text(MAX_RECIPIENTS * 256)], {
    error: (issue) => (issue.input === undefined ? messages.required : messages.array),
  })
  .transform((given) => (typeof given === 'string' ? given.split(',').map((part) => part.trim()) : given))
  .pipe(
    array(email, MAX_RECIPIENTS).refine((all) => all.length > 0, { error: messages.required, abort: true }),
  );

const fields = { from: email, recipients, subject: optionalLine(500), body: anyText(MAX_EMAIL_BODY) };

/** Form schema: what somebody writes. */
export const emailFields = object(fields);
export const emailList = object({ product: one });
/** The product beside the fields, or as one of them. */
export const emailInsert = object({ data: object({ ...fields, product: one }) });
export const emailUpdate = object({ id: uuid, data: emailFields, revision: integer().optional() });
export const emailAttachment = object({
  id: uuid,
  index: text(4)
    .regex(/^\d{1,4}$/, { error: messages.type('number') })
    .transform(Number),
});

/** `recipients`: those of the e-mail if absent. */
export const emailResend = object({ id: uuid, recipients: recipients.optional(), runId: uuid.optional() });
/** Form schema of `emailResend`. */
export const emailResendForm = object({ recipients });

export const mailSecurity = ['tls', 'starttls', 'none'] as const;
const server = {
  host: text(253),
  port: numericId(65_535),
  security: oneOf(mailSecurity),
  /** With a user name and a password. If `true`, each that is omitted stays as it is stored. Omitted: as `username` says. */
  signIn: boolean.optional(),
  username: optionalText(320),
  /** Omitted: the stored one stays. */
  password: optionalText(1000),
};
/** The server through which e-mails are sent again. Absent: none. */
export const workspaceMailServer = object({
  server: object(server).optional(),
  revision: integer().optional(),
});
/** Form schema of `workspaceMailServer`. Without a host: none. */
export const mailServerForm = object({
  server: object({ ...server, host: optionalLine(253), port: server.port.optional() }),
});

/** 10 MB in base64. */
export const MAX_WEBHOOK_MESSAGE = 14_000_000;

/** `message`: the whole message (RFC 5322) in base64. `from` and `recipients`: of the envelope, if they are known. */
export const emailWebhook = object({
  /** A whole e-mail in base64. */
  message: longText(MAX_WEBHOOK_MESSAGE),
  from: optionalLine(320),
  recipients: array(text(320), 1000).optional(),
});
