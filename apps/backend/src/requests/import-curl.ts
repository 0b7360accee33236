/** Reads a pasted curl command, as browsers and documentation write it. It is never run. Pure. */
import { optionsOf, type Option } from './curl-options';
import { refuseImport, shortened, splitAddress, type Imported, type ImportedRequest } from './import-words';
import { shellWords } from './shell-words';

const encodedPart = (value: string): string => {
  const [name = '', text] = value.split(/=(.*)/s);
  return text === undefined
    ? encodeURIComponent(value)
    : `${name === '' ? '' : `${name}=`}${encodeURIComponent(text)}`;
};

const fromFile = (file: string): Error =>
  refuseImport(`the file ${shortened(file, 100)} cannot be read from here: paste its content instead`);

const dataOf = ({ name, value }: Option): string => {
  const [, file] = (name === 'data-urlencode' ? /^[^=@]*@(.*)$/s : /^@(.*)$/s).exec(value) ?? [];
  if (name !== 'data-raw' && file !== undefined) throw fromFile(file);
  return name === 'data-urlencode' ? encodedPart(value) : value;
};

const authorizationOf = (user: string | undefined, bearer: string | undefined): string | undefined => {
  if (bearer !== undefined) return `Bearer ${bearer}`;
  return user === undefined ? undefined : `Basic ${Buffer.from(user).toString('base64')}`;
};

/** Without `=` it is the name of a file. */
const cookieOf = (cookie: string | undefined): string | undefined => {
  if (cookie !== undefined && !cookie.includes('=')) throw fromFile(cookie);
  return cookie;
};

const JSON_TYPE = 'application/json';
const isJson = (options: readonly Option[]): boolean => options.some(({ name }) => name === 'json');
const typeOf = (options: readonly Option[]): string =>
  isJson(options) ? JSON_TYPE : 'application/x-www-form-urlencoded';

const lastOf = (options: readonly Option[], wanted: string): string | undefined =>
  options.findLast(({ name }) => name === wanted)?.value;

const headersOf = (options: readonly Option[], hasBody: boolean): [string, string][] => {
  const headers = options
    .filter(({ name }) => name === 'header')
    .flatMap(({ value }): [string, string][] => {
      if (value.startsWith('@')) throw fromFile(value.slice(1));
      const [name = '', one] = value.split(/:(.*)/s);
      return one === undefined || one.trim() === '' ? [] : [[name.trim(), one.trim()]];
    });
  const has = (wanted: string): boolean => headers.some(([name]) => name.toLowerCase() === wanted);
  const named: [string, string | undefined][] = [
    ['Authorization', authorizationOf(lastOf(options, 'user'), lastOf(options, 'oauth2-bearer'))],
    ['Cookie', cookieOf(lastOf(options, 'cookie'))],
    ['User-Agent', lastOf(options, 'user-agent')],
    ['Referer', lastOf(options, 'referer')],
    ['Content-Type', hasBody && !has('content-type') ? typeOf(options) : undefined],
    // What `--json` asks for.
    ['Accept', isJson(options) && !has('accept') ? JSON_TYPE : undefined],
  ];
  for (const [name, value] of named) if (value !== undefined) headers.push([name, value]);
  return headers;
};

const withQuery = (address: string, query: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${query}`;

/** @throws DomainError that says what cannot be imported */
export const fromCurl = (text: string): Imported => {
  // Documentation shows the prompt too.
  const [first = '', ...words] = shellWords(text.trim().replace(/^[$>%] +/, ''));
  if (!/^curl(?:\.exe)?$/i.test(first)) throw refuseImport('a command is expected that begins with curl');
  const options = optionsOf(words);
  const all = (...names: string[]): Option[] => options.filter(({ name }) => names.includes(name));
  const [address, ...more] = all('url').map(({ value }) => value);
  if (address === undefined) throw refuseImport('the command names no address');
  if (more.length > 0) throw refuseImport('the command names several addresses: paste one at a time');
  const parts = all('data', 'data-raw', 'data-binary', 'data-ascii', 'data-urlencode', 'json').map(dataOf);
  const isGet = all('get').length > 0;
  const isHead = all('head').length > 0;
  // `-d ''` sends an empty body.
  const hasBody = parts.length > 0 && !isGet;
  const headers = headersOf(options, hasBody);
  const { host, url, query } = splitAddress(
    isGet && parts.length > 0 ? withQuery(address, parts.join('&')) : address,
  );
  const body = isGet ? '' : parts.join('&');
  const fallback = isHead ? 'HEAD' : hasBody ? 'POST' : 'GET';
  const method = (lastOf(options, 'request') ?? fallback).toUpperCase();
  const request: ImportedRequest = {
    name: shortened(`${method} ${url}`, 100),
    method,
    host,
    url,
    description: '',
    body,
    params: [
      ...query.map(([name, value]) => ({ name, location: 3, dataType: 1, isOptional: false, value })),
      ...headers.map(([name, value]) => ({ name, location: 2, dataType: 1, isOptional: false, value })),
    ],
  };
  return {
    requests: [request],
    notes:
      all('location').length > 0
        ? ['Redirects are followed only if you choose it when you send the request.']
        : [],
  };
};
