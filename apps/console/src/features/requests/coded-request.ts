/** What a saved request sends, for other tools: with the values that were typed, and otherwise with names. Pure. */
import type { CodedRequest } from './code-forms';
import { methodOf, typeOf, type ParamView, type RequestView } from './request-words';

const NAMES = /\{\{\s*([\w.-]+)\s*\}\}/g;
const [PAYLOAD, HEADERS, PARAMS] = [1, 2, 3];

/** Unlike for a query that is sent, the braces of names stay. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll('%7B%7B', '{{').replaceAll('%7D%7D', '}}');

export const codedRequest = (
  request: RequestView,
  params: readonly ParamView[],
  typed: Readonly<Record<string, string>>,
): CodedRequest => {
  const inputs = params.flatMap((param) => {
    const { input, value } = param;
    const chosen = input === null ? '' : (typed[input.name] ?? '') || value;
    return input === null || chosen === ''
      ? []
      : [{ name: input.name, at: input.paramType.id, value: chosen, type: typeOf(param) }];
  });
  const inPath = new Set([...request.url.matchAll(NAMES)].map(([, name]) => name));
  const at = (place: number | undefined) =>
    inputs.filter((input) => input.at === place && (place === HEADERS || !inPath.has(input.name)));
  const query = at(PARAMS)
    .map(({ name, value }) => `${encoded(name)}=${encoded(value)}`)
    .join('&');
  const host = /^https?:\/\//i.test(request.host) ? request.host : `https://${request.host}`;
  const named = new Map(inputs.map(({ name, value }) => [name, value]));
  const path = request.url.replaceAll(NAMES, (name, key: string) => {
    const value = named.get(key);
    return value === undefined ? name : encoded(value);
  });
  const json = at(PAYLOAD)
    .map(
      ({ name, value, type }) =>
        `${JSON.stringify(name)}:${type === 'String' ? JSON.stringify(value) : value}`,
    )
    .join(',');
  const method = methodOf(request);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = request.body === '' ? (json === '' ? undefined : `{${json}}`) : request.body;
  const headers = at(HEADERS).map(({ name, value }): [string, string] => [name, value]);
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const typedHeaders: [string, string][] =
    hasBody && request.body === '' && json !== '' && !isTyped ? [['content-type', 'application/json']] : [];
  return {
    method,
    url: `${host}${path}${query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`,
    headers: [...headers, ...typedHeaders],
    ...(hasBody && body !== undefined && { body }),
  };
};
