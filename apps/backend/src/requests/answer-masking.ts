/** Masks secrets in what a server sends back: it may repeat what it was sent, also encoded. */
import { Redactor } from '../platform/run-output';

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const lowerCased = (encoded: string): string =>
  encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

const inUrls = (secret: string): string[] => {
  const form = new URLSearchParams({ s: secret }).toString().slice('s='.length);
  const all = [encodeURIComponent(secret), encodeURI(secret), form, form.replaceAll('+', '%20')];
  return all.flatMap((one) => [one, lowerCased(one)]);
};

const unicode = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** As the usual libraries write it: some escape slashes, some what HTML or ASCII does not have. */
const inJson = (secret: string): string[] => {
  const plain = JSON.stringify(secret).slice(1, -1);
  const ascii = plain.replaceAll(/[\u007f-\uffff]/g, unicode);
  return [plain, ascii].flatMap((one) => [
    one,
    one.replaceAll('/', '\\/'),
    one.replaceAll(/[<>&]/g, unicode),
    one.replaceAll(/[<>&'+=/]/g, unicode),
  ]);
};

/** In longer texts, a secret begins at any of three places in a group of Base64. The letters at its ends depend on its neighbours. */
const SHORTEST_SHIFTED = 8;
const inBase64 = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const shifted = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return own.length < SHORTEST_SHIFTED ? [] : [own];
  });
  const all = [bytes.toString('base64'), bytes.toString('base64').replace(/=+$/, ''), ...shifted];
  return all.flatMap((one) => [one, one.replaceAll('+', '-').replaceAll('/', '_')]);
};

const inHex = (secret: string): string[] => {
  const hex = Buffer.from(secret).toString('hex');
  return [hex, hex.toUpperCase()];
};

/** The forms in which an answer may repeat a secret. */
export const formsOf = (secret: string): string[] => [
  ...new Set([
    secret,
    // In the name of a host.
    secret.toLowerCase(),
    ...inUrls(secret),
    ...inJson(secret),
    secret.replaceAll(/[&<>"']/g, (letter) => ESCAPED[letter] ?? letter),
    ...inBase64(secret),
    ...inHex(secret),
  ]),
];

/** One character for each byte, so that a text is masked whatever it is. Headers are such texts too. */
const bytesOf = (secret: string): string => Buffer.from(secret).toString('latin1');

export class Masking {
  private readonly forms: readonly string[];

  /** @param secrets masked as they are @param sent masked in every form too */
  constructor(secrets: readonly string[], sent: readonly string[] = []) {
    const all = [...secrets, ...sent.flatMap(formsOf)];
    this.forms = [...new Set(all.flatMap((form) => [form, bytesOf(form)]))];
  }

  text(value: string): string {
    const redactor = new Redactor(this.forms);
    return redactor.push(value) + redactor.end();
  }

  /** @param isCut its end is missing: then the beginning of a secret at its end is left out */
  body(value: Buffer, isCut = false): Buffer {
    const redactor = new Redactor(this.forms);
    const text = value.toString('latin1');
    const masked = redactor.push(text) + (isCut ? '' : redactor.end());
    return masked === text ? value : Buffer.from(masked, 'latin1');
  }

  pairs(values: readonly (readonly [string, string])[]): [string, string][] {
    return values.map(([name, value]) => [this.text(name), this.text(value)]);
  }
}
