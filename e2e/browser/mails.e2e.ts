// E-mails of a product: the list, the view, and HTML that tries to get out. covers: MAIL-01
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { check } from './every-look';
import { expect, test } from './house';

/** Twenty ways in which an e-mail could tell its sender that it is read, or lead its reader away. */
const waysOut = (to: string): readonly string[] => [
  `<img src="${to}/img">`,
  `<img srcset="${to}/srcset 2x" src="data:,">`,
  `<picture><source srcset="${to}/picture"><img></picture>`,
  `<link rel="stylesheet" href="${to}/css"><link rel="preload" as="image" href="${to}/preload">`,
  `<link rel="prefetch" href="${to}/prefetch"><link rel="icon" href="${to}/icon">`,
  `<style>@import "${to}/import"; body { background: url(${to}/background) }</style>`,
  `<style>@font-face { font-family: x; src: url(${to}/font) } p { font-family: x }</style>`,
  `<p style="background-image: url('${to}/inline'); content: url(${to}/content)">text</p>`,
  `<table background="${to}/table"><tr><td>cell</td></tr></table>`,
  `<script>new Image().src = "${to}/script"; fetch("${to}/fetch")</script>`,
  `<script src="${to}/src"></script>`,
  `<img src=x onerror="location='${to}/onerror'">`,
  `<svg xmlns="http://www.w3.org/2000/svg"><image href="${to}/svg"/><use href="${to}/use#a"/></svg>`,
  `<iframe src="${to}/iframe"></iframe><iframe srcdoc="<img src='${to}/srcdoc'>"></iframe>`,
  `<object data="${to}/object"></object><embed src="${to}/embed">`,
  `<video src="${to}/video" poster="${to}/poster" autoplay></video><audio src="${to}/audio" autoplay></audio>`,
  `<video><track default src="${to}/track"></video>`,
  `<meta http-equiv="refresh" content="0; url=${to}/refresh">`,
  `<base href="${to}/base/"><img src="relative"><input type="image" src="${to}/input">`,
  `<form id="f" action="${to}/form"><button autofocus onfocus="this.form.submit()">x</button></form>`,
];

test('e-mails are listed and read, and HTML with twenty ways out reaches nothing', async ({
  person,
}, info) => {
  test.slow();
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url ?? '');
    answer.end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { page } = await person('mails@example.com');
  const post = async <T = { id: string }>(path: string, data: object): Promise<T> => {
    const headers = { 'x-requested-with': 'quarterdeck' };
    const answer = await page.request.post(`/api/${path}`, { headers, data });
    expect([path, answer.status()]).toEqual([path, 200]);
    return (await answer.json()) as T;
  };
  const product = (await post('product/insert', { data: { name: 'Shop', description: '' } })).id;

  await page.goto(`/app/product/${product}/detail/email`);
  await expect(page.getByText('No e-mails yet')).toBeVisible();
  await check(page, 'emails-empty', info);
  await page.getByRole('link', { name: 'Intake and tokens' }).first().click();
  await page.getByRole('button', { name: 'Issue token' }).click();
  const once = page.getByRole('status').filter({ hasText: 'Copy them now' });
  const text = (await once.textContent()) ?? '';
  const secret = /qd_sign_[\w-]{43}/.exec(text)?.[0] ?? '';
  const token = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? '';
  await check(page, 'email-intake', info);

  const receive = async (subject: string, type: string, content: string): Promise<string> => {
    const mail = `From: Shop <shop@example.org>\r\nTo: Grace <grace@example.org>\r\nSubject: ${subject}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
    const data = JSON.stringify({ message: Buffer.from(mail).toString('base64') });
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', secret).update(`${t}.${data}`).digest('hex');
    const answer = await page.request.post('/api/public/email/receive', {
      data,
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'shop',
        'x-quarterdeck-token': token,
        'x-quarterdeck-signature': `t=${t},v1=${v1}`,
      },
    });
    expect(answer.status()).toBe(200);
    return ((await answer.json()) as { id: string }).id;
  };
  const hostile = await receive(
    'Win a prize',
    'text/html; charset=utf-8',
    `<h1 style="color: rgb(200, 0, 0)">Prize</h1>${waysOut(elsewhere).join('\n')}<p id="end">The end</p>`,
  );
  await receive('Your order 17', 'text/plain', 'It is on its way.');

  await page.goto(`/app/product/${product}/detail/email`);
  const list = page.getByRole('region', { name: 'E-mails' });
  await expect(list.getByRole('link', { name: 'Your order 17' })).toBeVisible();
  await check(page, 'emails', info);
  await page.getByRole('searchbox').fill('on its way');
  await expect(list.getByRole('link', { name: 'Win a prize' })).toHaveCount(0);
  await list.getByRole('link', { name: 'Your order 17' }).click();
  await expect(page.getByText('It is on its way.')).toBeVisible();
  await check(page, 'email', info);

  await page.goto(`/app/product/${product}/detail/email/${hostile}/edit`);
  const frame = page.frameLocator('iframe[title="HTML of Win a prize"]');
  await expect(frame.getByText('The end')).toBeVisible();
  // It is styled by itself.
  await expect(frame.getByRole('heading', { name: 'Prize' })).toHaveCSS('color', 'rgb(200, 0, 0)');
  await page.getByRole('tab', { name: 'Source' }).click();
  await expect(page.getByText('Subject: Win a prize')).toBeVisible();
  await page.getByRole('tab', { name: 'HTML' }).click();
  await expect(frame.getByText('The end')).toBeVisible();
  // Whatever the first frame wanted has been asked for by now, because the second one is complete.
  expect(asked).toEqual([]);
  // The server would have been reached.
  await page.request.get(`${elsewhere}/counted`);
  expect(asked).toEqual(['/counted']);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
});
