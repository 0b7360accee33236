/** AWS Signature Version 4, for calls to S3 and compatible services. */
import { createHash, createHmac } from 'node:crypto';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

export interface Unsigned {
  method: string;
  url: URL;
  /** Header names in lower case. */
  headers: Record<string, string>;
  /** SHA-256 of the body, hexadecimal. */
  sha256: string;
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

export const sha256Of = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');

/** Percent-encodes everything except letters, digits and `-_.~`, as the signature requires. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Sorted as the signature requires. It has to be sent in this form. */
export const queryOf = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/**
 * The headers of the signed call.
 * @param at may differ from the server's clock by 15 minutes at most
 */
export const signed = (
  { method, url, headers, sha256 }: Unsigned,
  { accessKeyId, secretAccessKey, region }: Credentials,
  at: Date,
): Record<string, string> => {
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': sha256,
    'x-amz-date': time,
  };
  const names = Object.keys(all).sort();
  const lines = names.map((name) => `${name}:${(all[name] ?? '').trim()}`);
  const list = names.join(';');
  const canonical = [method, url.pathname, queryOf(url), ...lines, '', list, sha256].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256Of(canonical)].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), 's3'), 'aws4_request');
  const signature = hmac(key, text).toString('hex');
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${list},Signature=${signature}`,
  };
};
