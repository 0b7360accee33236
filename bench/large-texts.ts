/**
 * What a product with 20,000 keys in 14 languages costs the main thread: the preview and the import of all of them,
 * exports in each format, now and as of an instant, lists, searches and the heat map.
 */
import { formats, idOfLanguage, languageCodes } from '@quarterdeck/texts';
import { readFile, truncate } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { mainThreadMs } from '../e2e/fuzz/growth';
import type { Spent } from '../e2e/fuzz/largest-calls';
import type { Operator } from '../testing/operator';

const words = ['order', 'payment', 'address', 'invoice', 'delivery', 'account', 'password', 'basket'];

/** A file of translations: about 13 MB with 20,000 keys. */
const fileOf = (keys: number): string => {
  const rows = [`key,${languageCodes.join(',')}`];
  for (let at = 0; at < keys; at += 1) {
    const texts = languageCodes.map((code) => `${words[at % 8]} ${code} of the shop no. ${at}`);
    rows.push(`${words[at % 8]}.${words[(at >> 3) % 8]}.key${at},${texts.join(',')}`);
  }
  return rows.join('\n');
};

export interface Import {
  /** From the call to the end of the run. */
  seconds: number;
  /** The most processor time of the main thread in one turn. */
  longestHoldMs: number;
}

/**
 * @param holds written by `hold-probe.mjs`
 * @param tell receives the result of each call
 */
export async function ofTexts(
  who: Operator,
  { pid, holds }: { pid: number; holds: string },
  keys: number,
  tell: (what: string, spent: Spent, bytes: number) => void,
): Promise<Import> {
  const { body: product } = await who.post<{ id: string }>('product/insert', { data: { name: 'Texts' } });
  const of = { product: { id: product.id }, isCms: false };
  const call = async <T>(path: string, body: object, name = path): Promise<T> => {
    const once = async (): Promise<{ ms: number; answer: T }> => {
      const before = mainThreadMs(pid);
      const { status, body: answer } = await who.post<T>(`i18n/${path}`, body);
      if (status !== 200) throw new Error(`${name} answered ${status} ${JSON.stringify(answer)}`);
      return { ms: mainThreadMs(pid) - before, answer };
    };
    // The first one also compiles code.
    const [first, { ms, answer }] = [await once(), await once()];
    const spent = { ms: Math.min(first.ms, ms), status: 200 };
    tell(`i18n/${name}, ${keys} keys`, spent, JSON.stringify(body).length);
    return answer;
  };
  const file = { ...of, name: 'all.csv', content: Buffer.from(fileOf(keys)).toString('base64') };
  const { seen } = await call<{ seen: string }>('import/preview', file);

  await truncate(holds);
  const began = performance.now();
  const body = { ...file, seen };
  const before = await who.post<{ runId: string }>('i18n/import', body);
  const run = before.body.runId;
  const isOpen = async () =>
    (await who.post<{ state: string }>('i18n/import/detail', { run })).body.state === 'open';
  while (await isOpen()) await pause(100);
  const seconds = (performance.now() - began) / 1000;
  const longestHoldMs = Number(await readFile(holds, 'utf8'));

  // The import has ended before the read models, such as the history, have its 20,000 events.
  const isBusy = async (): Promise<boolean> => {
    const spent = mainThreadMs(pid);
    await pause(500);
    return mainThreadMs(pid) - spent > 10;
  };
  while (await isBusy());
  const at = new Date().toISOString();
  await call('import/preview', file, 'import/preview of what is there');
  for (const format of formats) {
    await call('export', { ...of, format }, `export of ${format}`);
    await call('export', { ...of, format, at }, `export of ${format} as of an instant`);
  }
  await call('list', { id: product.id, isCms: false });
  const page = { ...of, page: 1, size: 100 };
  await call('page', page);
  await call('page', { ...page, search: 'no. 1234' }, 'page of a search');
  await call(
    'page',
    { ...page, language: idOfLanguage('fr'), states: ['missing'] },
    'page of a missing language',
  );
  await call('completeness', of);
  return { seconds, longestHoldMs };
}
