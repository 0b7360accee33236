/** Sixty kinds of e-mails, as programs of every age and quality write them. */

export interface MailKind {
  name: string;
  raw: Buffer;
  /** What has to be shown of it. Absent: any text. */
  subject?: string;
  text?: RegExp;
  state?: 'parsed' | 'malformed' | 'tooMuch';
  attachments?: number;
}

const FROM = 'Shop <shop@example.org>';
const TO = 'Grace <grace@example.org>';

const bytes = (...parts: (string | Buffer | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : Buffer.from(part as Buffer))),
  );

const head = (subject: string, more: readonly string[] = []): string =>
  [`From: ${FROM}`, `To: ${TO}`, `Subject: ${subject}`, 'MIME-Version: 1.0', ...more, '', ''].join('\r\n');

const plain = (name: string, body = 'Hello', more: readonly string[] = []): MailKind => ({
  name,
  raw: bytes(head(name, more), `${body}\r\n`),
  subject: name,
});

const encoded = (name: string, charset: string, body: readonly number[], text: RegExp): MailKind => ({
  name,
  raw: bytes(
    head(name, [`Content-Type: text/plain; charset=${charset}`, 'Content-Transfer-Encoding: 8bit']),
    body,
    '\r\n',
  ),
  subject: name,
  text,
});

const subjects = (name: string, written: string | Buffer, subject: string): MailKind => ({
  name,
  raw: bytes(`From: ${FROM}\r\nTo: ${TO}\r\nSubject: `, written, '\r\n\r\nHello\r\n'),
  subject,
});

const part = (type: string, body: string, more: readonly string[] = []): string =>
  ['--b', `Content-Type: ${type}`, ...more, '', body, ''].join('\r\n');

const multipart = (
  name: string,
  kind: string,
  parts: readonly string[],
  more: Partial<MailKind> = {},
): MailKind => ({
  name,
  raw: bytes(head(name, [`Content-Type: multipart/${kind}; boundary=b`]), parts.join(''), '--b--\r\n'),
  subject: name,
  ...more,
});

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const picture = (disposition: string): string =>
  part('image/png; name="dot.png"', pixel, [
    'Content-ID: <dot@example.org>',
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: ${disposition}; filename="dot.png"`,
  ]);

const nested = (depth: number): string =>
  Array.from(
    { length: depth },
    (_, at) => `--n${at}\r\nContent-Type: multipart/mixed; boundary=n${at + 1}\r\n\r\n`,
  ).join('');

export const kinds: readonly MailKind[] = [
  { ...plain('plain text'), text: /^Hello/ },
  plain('text with a dot alone on a line', 'one\r\n..\r\ntwo'),
  plain('a line of 20,000 characters', 'x'.repeat(20_000)),
  plain('empty body', ''),
  { name: 'nothing at all', raw: bytes(''), state: 'malformed' },
  { name: 'one line break', raw: bytes('\r\n') },
  { name: 'a body without a head', raw: bytes('\r\nHello\r\n') },
  {
    name: 'a head without a body',
    raw: bytes(head('a head without a body').trimEnd()),
    subject: 'a head without a body',
  },
  { name: 'text that is no e-mail', raw: bytes('this is no e-mail at all') },
  {
    name: 'bytes that are no e-mail',
    raw: bytes(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256)),
  },
  {
    name: 'line feeds only',
    raw: bytes(head('line feeds only').replaceAll('\r\n', '\n'), 'Hello\n'),
    subject: 'line feeds only',
    text: /Hello/,
  },
  {
    name: 'carriage returns only',
    raw: bytes(head('carriage returns only').replaceAll('\r\n', '\r'), 'Hello\r'),
  },
  {
    name: 'NUL in the text',
    raw: bytes(head('NUL in the text'), 'a\0b\r\n'),
    subject: 'NUL in the text',
    text: /^ab/,
  },
  subjects('NUL in the subject', bytes('one', [0], 'two'), 'onetwo'),
  plain('unknown charset', 'Hello', ['Content-Type: text/plain; charset=x-klingon']),
  plain('charset without a name', 'Hello', ['Content-Type: text/plain; charset=']),
  plain('unknown transfer encoding', 'Hello', ['Content-Transfer-Encoding: x-rot13']),
  plain('base64 that is none', '!!! not base64 !!!', ['Content-Transfer-Encoding: base64']),
  plain('quoted-printable that is broken', 'a =ZZ b =', ['Content-Transfer-Encoding: quoted-printable']),
  {
    ...plain('quoted-printable', 'caf=C3=A9', [
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
    ]),
    text: /café/,
  },
  encoded('ISO-2022-JP', 'ISO-2022-JP', [0x1b, 0x24, 0x42, 0x24, 0x33, 0x24, 0x73, 0x1b, 0x28, 0x42], /こん/),
  encoded('GB18030', 'GB18030', [0xc4, 0xe3, 0xba, 0xc3], /你好/),
  encoded('Shift_JIS', 'Shift_JIS', [0x82, 0xb1, 0x82, 0xf1], /こん/),
  encoded('EUC-KR', 'EUC-KR', [0xb0, 0xa1], /가/),
  encoded('KOI8-R', 'KOI8-R', [0xf0, 0xd2, 0xc9], /При/),
  encoded('windows-1252', 'windows-1252', [0x93, 0x68, 0x69, 0x94], /“hi”/),
  encoded('UTF-16 with a mark', 'UTF-16', [0xff, 0xfe, 0x68, 0, 0x69, 0], /hi/),
  encoded('UTF-8 that is cut in a character', 'UTF-8', [0x61, 0xe2, 0x82], /a/),
  encoded('ISO-8859-8 from right to left', 'ISO-8859-8', [0xf9, 0xec, 0xe5, 0xed], /שלום/),
  subjects('latin1 in a raw header', bytes('caf', [0xe9]), 'café'),
  subjects('UTF-8 in a raw header', 'naïve ✓', 'naïve ✓'),
  subjects('an encoded word', '=?UTF-8?B?w4RuZGVydW5n?=', 'Änderung'),
  subjects('an emoji that two encoded words share', '=?UTF-8?B?8J+Y?= =?UTF-8?B?gA==?=', '😀'),
  subjects('an encoded word that is broken', '=?UTF-8?Q?broken', '=?UTF-8?Q?broken'),
  subjects('a folded subject', 'one\r\n two', 'one two'),
  { name: 'a subject of 100,000 characters', raw: bytes(head('s'.repeat(100_000)), 'Hello\r\n') },
  {
    name: 'no From and no To',
    raw: bytes('Subject: no From and no To\r\n\r\nHello\r\n'),
    subject: 'no From and no To',
  },
  {
    name: 'five Froms',
    raw: bytes('From: a@example.org\r\n'.repeat(5), 'Subject: five Froms\r\n\r\nHello\r\n'),
    subject: 'five Froms',
  },
  {
    name: 'a group of recipients',
    raw: bytes(
      `From: ${FROM}\r\nTo: team: ada@example.org, eve@example.org;\r\nSubject: a group of recipients\r\n\r\nHi\r\n`,
    ),
    subject: 'a group of recipients',
  },
  {
    name: 'addresses that are none',
    raw: bytes('From: <<<>>>\r\nTo: @@, ,,, "\r\nSubject: addresses that are none\r\n\r\nHi\r\n'),
    subject: 'addresses that are none',
  },
  {
    name: 'a date that is none',
    raw: bytes('Date: yesterday at noon\r\n', head('a date that is none'), 'Hi\r\n'),
    subject: 'a date that is none',
  },
  plain('a year of five digits', 'Hi', ['Date: Mon, 01 Jan 99999 00:00:00 +0000']),
  multipart(
    'text and HTML',
    'alternative',
    [part('text/plain', 'Hello in text'), part('text/html', '<b>Hello</b>')],
    { text: /Hello in text/ },
  ),
  multipart('HTML only', 'mixed', [part('text/html', '<p>Hello <b>there</b></p>')], { text: /Hello there/ }),
  multipart(
    'a picture in the HTML',
    'related',
    [part('text/html', '<img src="cid:dot@example.org">'), picture('inline')],
    { attachments: 1 },
  ),
  multipart('an attachment', 'mixed', [part('text/plain', 'See the file'), picture('attachment')], {
    attachments: 1,
  }),
  multipart(
    'a file name that leads out',
    'mixed',
    [
      part('application/pdf', 'x', [
        'Content-Disposition: attachment; filename="../../etc/passwd\\"\\r\\nx"',
      ]),
    ],
    { attachments: 1 },
  ),
  multipart(
    'a file name in RFC 2231',
    'mixed',
    [
      part('application/pdf', 'x', [
        "Content-Disposition: attachment; filename*0*=UTF-8''caf%C3%A9; filename*1=.pdf",
      ]),
    ],
    { attachments: 1 },
  ),
  multipart('an e-mail within an e-mail', 'mixed', [part('message/rfc822', `${head('inner')}Inside`)]),
  multipart(
    'a report of a failed delivery',
    'report; report-type=delivery-status',
    [
      part('text/plain', 'It failed'),
      part('message/delivery-status', 'Final-Recipient: rfc822; x@example.org\r\nAction: failed'),
    ],
    { text: /It failed/ },
  ),
  multipart(
    'an invitation to a meeting',
    'alternative',
    [part('text/plain', 'Meet'), part('text/calendar; method=REQUEST', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR')],
    { text: /Meet/ },
  ),
  {
    name: 'a multipart without a boundary',
    raw: bytes(head('a multipart without a boundary', ['Content-Type: multipart/mixed']), 'Hello\r\n'),
    subject: 'a multipart without a boundary',
  },
  {
    name: 'a multipart that never ends',
    raw: bytes(
      head('a multipart that never ends', ['Content-Type: multipart/mixed; boundary=b']),
      part('text/plain', 'Hello'),
    ),
    subject: 'a multipart that never ends',
    text: /Hello/,
  },
  {
    name: 'a multipart without parts',
    raw: bytes(head('a multipart without parts', ['Content-Type: multipart/mixed; boundary=b']), '--b--\r\n'),
    subject: 'a multipart without parts',
  },
  multipart(
    'an empty attachment',
    'mixed',
    [part('application/octet-stream', '', ['Content-Disposition: attachment; filename=empty.bin'])],
    { attachments: 1 },
  ),
  {
    name: '3,000 parts',
    raw: bytes(
      head('3,000 parts', ['Content-Type: multipart/mixed; boundary=b']),
      part('text/plain', 'x').repeat(3000),
      '--b--\r\n',
    ),
    state: 'tooMuch',
  },
  {
    name: '3,000 parts within each other',
    raw: bytes(head('deep', ['Content-Type: multipart/mixed; boundary=n0']), nested(3000)),
    state: 'tooMuch',
  },
  {
    name: '100,000 headers',
    raw: bytes(
      Array.from({ length: 100_000 }, (_, at) => `X-${at}: value\r\n`).join(''),
      head('100,000 headers'),
      'Hi\r\n',
    ),
    state: 'tooMuch',
  },
  {
    name: 'HTML of 3 MB',
    raw: bytes(head('HTML of 3 MB', ['Content-Type: text/html']), '<div>'.repeat(600_000)),
    subject: 'HTML of 3 MB',
  },
  {
    name: '10 MB',
    raw: bytes(
      head('10 MB', [
        'Content-Type: application/octet-stream',
        'Content-Transfer-Encoding: base64',
        'Content-Disposition: attachment; filename=big.bin',
      ]),
      `${'QUJD'.repeat(19)}\r\n`.repeat(130_000),
    ),
    subject: '10 MB',
    attachments: 1,
  },
];
