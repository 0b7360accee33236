/** A request as a command or as code, for other tools. Names in braces stay. Pure. */

export interface CodedRequest {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body?: string | undefined;
}

/** For sh: everything in single quotes stays as it is. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

export const asCurl = ({ method, url, headers, body }: CodedRequest): string =>
  [
    `curl ${quoted(url)}`,
    ...(method === 'HEAD' ? ['--head'] : [`-X ${method}`]),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');

export const asFetch = ({ method, url, headers, body }: CodedRequest): string => {
  const options = {
    method,
    ...(headers.length > 0 && { headers }),
    ...(body !== undefined && { body }),
  };
  return `const response = await fetch(${JSON.stringify(url)}, ${JSON.stringify(options, null, 2)});`;
};

export const asHttpie = ({ method, url, headers, body }: CodedRequest): string =>
  [
    `http ${method} ${quoted(url)}`,
    ...headers.map(([name, value]) => quoted(`${name}:${value}`)),
    ...(body === undefined ? [] : [`--raw ${quoted(body)}`]),
  ].join(' \\\n  ');

export const codeForms = { curl: asCurl, fetch: asFetch, HTTPie: asHttpie };
