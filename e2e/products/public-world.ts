/** A product with texts, CMS texts and notifications, and how the product itself reads them. */
import { v7 as uuidv7 } from 'uuid';
import type { Operator } from '../../testing/operator';

interface Ids {
  id: string;
}

export interface Shop {
  product: string;
  token: string;
  tokenId: string;
  ask<T = Ids>(path: string, body?: object): Promise<T>;
  addText(key: string, texts: Record<string, string>, isCms?: boolean): Promise<string>;
  notify(fields?: object): Promise<string>;
  update(id: string, fields: object): Promise<unknown>;
}

export const plainNotification = {
  type: { id: 1 },
  status: { id: 1 },
  isValidationRequired: false,
  dateStart: '',
  dateEnd: '',
};

export const openShop = async (who: Operator, name = `Shop ${uuidv7()}`): Promise<Shop> => {
  const ask = async <T>(path: string, body: object = {}): Promise<T> => {
    const answer = await who.post<T>(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id: product } = await ask<Ids>('product/insert', { data: { name } });
  const { id: tokenId, token } = await ask<Ids & { token: string }>('public-token/issue', {
    product: { id: product },
  });
  const addText = async (key: string, texts: Record<string, string>, isCms = false) =>
    (await ask<Ids>('i18n/insert', { data: { key, product: { id: product }, isCms, texts } })).id;
  const notify = async (fields: object = {}) =>
    (
      await ask<Ids>('notification/insert', {
        data: { ...plainNotification, ...fields, product: { id: product } },
      })
    ).id;
  const update = (id: string, fields: object) =>
    ask('notification/update', { id, data: { ...plainNotification, ...fields } });
  return { product, token, tokenId, ask, addText, notify, update };
};

export interface Read {
  status: number;
  headers: Headers;
  etag: string;
  /** As it was sent, after decompression. */
  text: string;
  body: unknown;
}

/** `GET /api/public/<path>` as a program that keeps no cookies. */
export const readAt =
  (url: string) =>
  async (path: string, token?: string, headers: Record<string, string> = {}): Promise<Read> => {
    const answer = await fetch(`${url}/api/public/${path}`, {
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      etag: answer.headers.get('etag') ?? '',
      text,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  };
