/** covers: MAIL-01: what an e-mail is shown to say is what it says */
import { factsOfMail, fileOfMail } from './mail.jobs';

const head = 'From: shop@example.org\r\nSubject: Order\r\n';
const facts = (message: string) => factsOfMail.work(new Uint8Array(Buffer.from(message)));

test.each([
  ['Fri, 31 Dec 2027 23:59:59 +0200', '2027-12-31T21:59:59.000Z'],
  ['Fri, 31 Dec 2027\r\n 23:59:59 +0000 (UTC)', '2027-12-31T23:59:59.000Z'],
  ['yesterday at noon', undefined],
  ['Mon, 01 Jan 275761 00:00:00 +0000', undefined],
  ['', undefined],
])('the date "%s" is read as %s', async (written, date) => {
  expect((await facts(`Date: ${written}\r\n${head}\r\nHi`)).date).toBe(date);
});

test('an e-mail without a date has none', async () => {
  expect((await facts(`${head}\r\nHi`)).date).toBeUndefined();
});

test('the name of an attachment is written in one direction, so it shows its ending', async () => {
  const message = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Disposition: attachment; filename="bill\u202Efdp.exe"\r\n\r\nx\r\n--b\r\nContent-Disposition: attachment; filename="שלום.pdf"\r\n\r\nx\r\n--b--`;
  expect((await facts(message)).files.map(({ name }) => name)).toEqual(['billfdp.exe', 'שלום.pdf']);
  const file = await fileOfMail.work({ raw: new Uint8Array(Buffer.from(message)), index: 0 });
  expect(file?.name).toBe('billfdp.exe');
});
