/** Texts over the API, for the tests about them. */
import type { Answer, texts } from '@quarterdeck/contract';
import type { TextRow, TextView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';

export type Preview = Answer<typeof texts.preview>;
export type ImportState = Answer<typeof texts.importDetail>;

export interface TextsOf {
  product: { id: string };
  ask<T = { id: string }>(path: string, body?: object): Promise<T>;
  insert(key: string, texts?: Record<string, string>, isCms?: boolean): Promise<string>;
  detail(uuid: string): Promise<TextView>;
  list(isCms?: boolean): Promise<TextRow[]>;
  /** By key, all texts by language id. */
  all(): Promise<Record<string, Record<number, string>>>;
  preview(name: string, content: string | Uint8Array, more?: object): Promise<Preview>;
  /** Imports after a preview, and waits for the end. */
  import(
    name: string,
    content: string | Uint8Array,
    more?: object,
  ): Promise<{ run: string; state: ImportState }>;
  ended(run: string): Promise<ImportState>;
  export(body: object, headers?: Record<string, string>): Promise<Buffer>;
}

const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64');

/** A new product with its texts, as one person sees them. */
export const textsOfNewProduct = async (who: Operator): Promise<TextsOf> => {
  const { body } = await who.post<{ id: string }>('product/insert', {
    data: { name: `Shop ${uuidv7()}`, description: '' },
  });
  return textsOf(who, body.id);
};

export const textsOf = (who: Operator, id: string): TextsOf => {
  const product = { id };
  const ask = async <T = { id: string }>(path: string, body: object = {}): Promise<T> => {
    const answer = await who.post<T>(`i18n/${path}`, body);
    expect({ path, status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
    return answer.body;
  };
  const detail = (uuid: string) => ask<TextView>('detail', { uuid });
  const list = (isCms = false) => ask<TextRow[]>('list', { id, isCms });
  const fileOf = (name: string, content: string | Uint8Array, more: object) => ({
    product,
    name,
    content: base64(content),
    ...more,
  });
  const preview = (name: string, content: string | Uint8Array, more: object = {}) =>
    ask<Preview>('import/preview', fileOf(name, content, more));
  const ended = async (run: string): Promise<ImportState> => {
    let state = await ask<ImportState>('import/detail', { run });
    await until(async () => {
      state = await ask<ImportState>('import/detail', { run });
      return state.state !== 'open';
    });
    return state;
  };
  return {
    product,
    ask,
    detail,
    list,
    preview,
    ended,
    insert: async (key, texts = {}, isCms = false) =>
      (await ask('insert', { data: { key, product, isCms, texts } })).id,
    all: async () => {
      const rows = await list();
      const views = await Promise.all(rows.map((row) => detail(row.id)));
      return Object.fromEntries(
        views.map(({ key, units }) => [
          key,
          Object.fromEntries(units.map(({ language, name }) => [language.id, name])),
        ]),
      );
    },
    import: async (name, content, more = {}) => {
      const { seen } = await preview(name, content, more);
      const { runId } = await ask<{ runId: string }>('import', { ...fileOf(name, content, more), seen });
      return { run: runId, state: await ended(runId) };
    },
    export: async (body, headers = {}) => {
      const answer = await fetch(`${who.url}/api/i18n/export`, {
        method: 'POST',
        headers: {
          cookie: who.cookie,
          'content-type': 'application/json',
          'x-requested-with': 'quarterdeck',
          ...headers,
        },
        body: JSON.stringify({ product, ...body }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect({ status: answer.status, text: answer.ok ? '' : bytes.toString() }).toEqual({
        status: 200,
        text: '',
      });
      return bytes;
    },
  };
};
