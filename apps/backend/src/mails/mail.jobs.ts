/** Reads e-mails in a thread: a stranger wrote them, so they may take long, or too much memory. */
import { isUtf8 } from 'node:buffer';
import { toUSVString } from 'node:util';
import type { AddressObject, Attachment, EmailAddress, ParsedMail, SimpleParserOptions } from 'mailparser';
import type { Job } from '../platform/threads';

/** Characters of a text that are kept. */
export const MAX_TEXT = 200_000;
const MAX_SUBJECT = 1000;
const MAX_ADDRESSES = 1000;
const MAX_FILES = 1000;

export interface MailFile {
  index: number;
  name: string;
  type: string;
  bytes: number;
}

export interface MailFacts {
  sender: string;
  recipients: string[];
  subject: string;
  date?: string;
  messageId?: string;
  text: string;
  cut: boolean;
  html: boolean;
  files: MailFile[];
  problem?: 'malformed' | 'tooMuch';
}

const limits: SimpleParserOptions = {
  maxHtmlLengthToParse: 2_000_000,
  skipTextToHtml: true,
  skipTextLinks: true,
  checksumAlgo: false,
};

/** Loaded when it is first needed: a thread has to begin quickly. */
const parsed = async (raw: Uint8Array, options: SimpleParserOptions = {}): Promise<ParsedMail> => {
  const { simpleParser } = await import('mailparser');
  const message = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  return simpleParser(withReadableHead(message), { ...limits, ...options });
};

/** Old programs write headers in latin1, where only ASCII or UTF-8 is meant to be. */
const withReadableHead = (raw: Buffer): Buffer => {
  const [end] = [raw.indexOf('\r\n\r\n'), raw.indexOf('\n\n')]
    .filter((at) => at >= 0)
    .toSorted((a, b) => a - b);
  const head = raw.subarray(0, end);
  return isUtf8(head)
    ? raw
    : Buffer.concat([Buffer.from(head.toString('latin1')), raw.subarray(head.length)]);
};

/** Of a message with HTML and no text, of which the parser makes a text only if it has no parts. */
const textOf = async ({ text = '', html }: ParsedMail): Promise<string> => {
  if (text !== '' || typeof html !== 'string') return text;
  const alone = Buffer.from(`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`);
  return (await parsed(alone, { keepCidLinks: true })).text ?? '';
};

/** Postgres stores no NUL, and no half of a character. */
const storable = (text = '', max = MAX_TEXT): string => toUSVString(text.replaceAll('\0', '').slice(0, max));

const shown = ({ name, address, group }: EmailAddress): string[] => {
  if (group) return group.flatMap(shown);
  if (address === undefined || address === '') return name === '' ? [] : [name];
  return [name === '' ? address : `${name} <${address}>`];
};

const addressesIn = (...headers: (AddressObject | AddressObject[] | undefined)[]): string[] =>
  headers
    .flat()
    .flatMap((header) => header?.value.flatMap(shown) ?? [])
    .slice(0, MAX_ADDRESSES)
    .map((text) => storable(text, MAX_SUBJECT));

/** As it is written: in place of one that it cannot read, the parser would say the present. */
const dateOf = ({ headerLines }: ParsedMail): string | undefined => {
  const line = headerLines.find(({ key }) => key === 'date')?.line ?? '';
  const date = new Date(line.slice(line.indexOf(':') + 1).trim());
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};

/** Without signs that turn the direction: with them, a program could look like a picture. */
const nameOf = ({ filename }: Attachment, index: number): string =>
  (filename ?? '').replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '') || `attachment-${index + 1}`;

const isTooMuch = (error: unknown): boolean =>
  /maximum|too many|too large|exceed/i.test(error instanceof Error ? error.message : String(error));

/** Of an e-mail that cannot be read. */
export const unreadFacts = (problem: NonNullable<MailFacts['problem']>): MailFacts => ({
  sender: '',
  recipients: [],
  subject: '',
  text: '',
  cut: false,
  html: false,
  files: [],
  problem,
});

export const factsOfMail: Job<Uint8Array, MailFacts> = {
  name: 'facts of an e-mail',
  work: async (raw) => {
    if (!(raw instanceof Uint8Array)) throw new Error('an e-mail is expected');
    let mail: ParsedMail;
    try {
      mail = await parsed(raw, { keepCidLinks: true });
    } catch (error) {
      return unreadFacts(isTooMuch(error) ? 'tooMuch' : 'malformed');
    }
    const { html, messageId } = mail;
    const date = dateOf(mail);
    const text = await textOf(mail);
    const isRead = mail.headers.size > 0;
    return {
      sender: addressesIn(mail.from).join(', ').slice(0, MAX_SUBJECT),
      recipients: addressesIn(mail.to, mail.cc, mail.bcc),
      subject: storable(mail.subject, MAX_SUBJECT),
      ...(date && { date }),
      ...(messageId !== undefined && { messageId: storable(messageId, MAX_SUBJECT) }),
      text: storable(text),
      cut: text.length > MAX_TEXT,
      html: typeof html === 'string' && html !== '',
      files: mail.attachments.slice(0, MAX_FILES).map((file, index) => ({
        index,
        name: storable(nameOf(file, index), 200),
        type: storable(file.contentType, 100),
        bytes: file.size,
      })),
      ...(isRead ? {} : { problem: 'malformed' as const }),
    };
  },
};

/** With the pictures that it brings along in it. `undefined`: it has none. */
export const htmlOfMail: Job<Uint8Array, string | undefined> = {
  name: 'HTML of an e-mail',
  work: async (raw) => {
    const { html } = await parsed(raw);
    return typeof html === 'string' ? html : undefined;
  },
};

export const fileOfMail: Job<
  { raw: Uint8Array; index: number },
  { name: string; content: Uint8Array } | undefined
> = {
  name: 'attachment of an e-mail',
  work: async ({ raw, index }) => {
    const file = (await parsed(raw, { keepCidLinks: true })).attachments[index];
    if (!file) return undefined;
    return { name: nameOf(file, index), content: new Uint8Array(file.content) };
  },
};

/** What somebody wrote in the console, as a message. */
export const messageOf: Job<
  { from: string; recipients: string[]; subject: string; body: string; at: string; id: string },
  Uint8Array
> = {
  name: 'message of an e-mail',
  work: async ({ from, recipients, subject, body, at, id }) => {
    const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
    const composed = new MailComposer({
      from,
      to: recipients,
      subject,
      text: body,
      date: new Date(at),
      messageId: `<${id}@${from.split('@').pop() ?? 'localhost'}>`,
      newline: '\r\n',
    });
    return new Uint8Array(await composed.compile().build());
  },
};
