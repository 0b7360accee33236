/** Reads a pasted curl command, as browsers and documentation write it. It is never run. Pure. */
import type { ImportedRequest, Imported } from './import-words';
import { refuseImport, shortened, splitAddress } from './import-words';

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

/** Words as a POSIX shell sees them, with `$'…'`, and without expansions. @throws DomainError on an open quote */
export const shellWords = (text: string): string[] => {
  const words: string[] = [];
  let word: string | undefined;
  const source = text.replaceAll(/\\\r?\n/g, ' ').replaceAll(/\^\r?\n/g, ' ');
  const add = (part: string): void => void (word = (word ?? '') + part);
  for (let at = 0; at < source.length; at += 1) {
    const letter = source.charAt(at);
    if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (letter === "'" || (letter === '$' && source.charAt(at + 1) === "'")) {
      const isAnsi = letter === '$';
      let end = at + (isAnsi ? 2 : 1);
      const begin = end;
      while (end < source.length && source.charAt(end) !== "'")
        end += isAnsi && source.charAt(end) === '\\' ? 2 : 1;
      if (end >= source.length) throw refuseImport('a quote is not closed: paste the whole command');
      const inside = source.slice(begin, end);
      add(isAnsi ? unescaped(inside) : inside);
      at = end;
    } else if (letter === '"') {
      let end = at + 1;
      while (end < source.length && source.charAt(end) !== '"') end += source.charAt(end) === '\\' ? 2 : 1;
      if (end >= source.length) throw refuseImport('a quote is not closed: paste the whole command');
      add(source.slice(at + 1, end).replaceAll(/\\(["\\$`])/g, '$1'));
      at = end;
    } else if (letter === '\\') {
      add(source.charAt(at + 1));
      at += 1;
    } else add(letter);
  }
  if (word !== undefined) words.push(word);
  return words;
};

const unescaped = (text: string): string =>
  text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs,
    (_, unicode?: string, hex?: string, one = '') => {
      const code = unicode ?? hex;
      return code === undefined
        ? (ESCAPES[one as string] ?? (one as string))
        : String.fromCharCode(parseInt(code, 16));
    },
  );

const SHORT: Record<string, string> = {
  X: 'request', H: 'header', d: 'data', G: 'get', F: 'form', u: 'user', b: 'cookie', A: 'user-agent',
  e: 'referer', k: 'insecure', L: 'location', I: 'head', s: 'silent', S: 'show-error', v: 'verbose', i: 'include',
  o: 'output', x: 'proxy', T: 'upload-file', m: 'max-time',
}; // prettier-ignore
const TAKES = ['request', 'header', 'data', 'data-raw', 'data-binary', 'data-ascii', 'data-urlencode', 'json', 'form', 'user', 'cookie', 'user-agent', 'referer', 'url', 'output', 'proxy', 'upload-file', 'max-time', 'connect-timeout']; // prettier-ignore
const REFUSED: Record<string, string> = {
  form: 'forms with files (-F) cannot be sent from here',
  'upload-file': 'files (-T) cannot be sent from here',
  insecure: 'certificates are always checked: leave -k out',
  proxy: 'a proxy cannot be chosen here: leave -x out',
};

interface Option {
  name: string;
  value: string;
}

const optionsOf = (words: readonly string[]): Option[] => {
  const found: Option[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word.startsWith('--')) {
      const [name = '', own] = word.slice(2).split(/=(.*)/s);
      if (own !== undefined) found.push({ name, value: own });
      else if (TAKES.includes(name)) found.push({ name, value: words[(at += 1)] ?? '' });
      else found.push({ name, value: '' });
    } else if (word.startsWith('-') && word.length > 1) {
      for (let letter = 1; letter < word.length; letter += 1) {
        const name = SHORT[word.charAt(letter)] ?? word.charAt(letter);
        if (!TAKES.includes(name)) found.push({ name, value: '' });
        else {
          const rest = word.slice(letter + 1);
          found.push({ name, value: rest === '' ? (words[(at += 1)] ?? '') : rest });
          break;
        }
      }
    } else found.push({ name: 'url', value: word });
  }
  return found;
};

const encodedPart = (value: string): string => {
  const [name = '', text] = value.split(/=(.*)/s);
  return text === undefined
    ? encodeURIComponent(value)
    : `${name === '' ? '' : `${name}=`}${encodeURIComponent(text)}`;
};

const dataOf = ({ name, value }: Option): string => {
  if (name !== 'data-raw' && name !== 'json' && value.startsWith('@'))
    throw refuseImport(`the file ${value.slice(1)} cannot be read from here: paste its content instead`);
  return name === 'data-urlencode' ? encodedPart(value) : value;
};

/** @throws DomainError that says what cannot be imported */
export const fromCurl = (text: string): Imported => {
  const [first, ...words] = shellWords(text.trim());
  if (first !== 'curl') throw refuseImport('a command is expected that begins with curl');
  const options = optionsOf(words);
  for (const { name } of options) {
    const why = REFUSED[name];
    if (why !== undefined) throw refuseImport(why);
  }
  const all = (...names: string[]): Option[] => options.filter(({ name }) => names.includes(name));
  const last = (name: string): string | undefined => all(name).at(-1)?.value;
  const [address, ...more] = all('url').map(({ value }) => value);
  if (address === undefined) throw refuseImport('the command names no address');
  if (more.length > 0) throw refuseImport('the command names several addresses: paste one at a time');
  const parts = all('data', 'data-raw', 'data-binary', 'data-ascii', 'data-urlencode', 'json').map(dataOf);
  const isGet = all('get').length > 0;
  const isHead = all('head').length > 0;
  const headers = all('header').flatMap(({ value }): [string, string][] => {
    const [name = '', one] = value.split(/:(.*)/s);
    return one === undefined || one.trim() === '' ? [] : [[name.trim(), one.trim()]];
  });
  const user = last('user');
  const named: [string, string | undefined][] = [
    ['Authorization', user === undefined ? undefined : `Basic ${Buffer.from(user).toString('base64')}`],
    ['Cookie', last('cookie')],
    ['User-Agent', last('user-agent')],
    ['Referer', last('referer')],
    ['Content-Type', contentType(options, headers, parts.length > 0 && !isGet)],
  ];
  for (const [name, value] of named) if (value !== undefined) headers.push([name, value]);
  const { host, url, query } = splitAddress(
    isGet && parts.length > 0 ? withQuery(address, parts.join('&')) : address,
  );
  const body = isGet ? '' : parts.join('&');
  const fallback = isHead ? 'HEAD' : body === '' ? 'GET' : 'POST';
  const method = (last('request') ?? fallback).toUpperCase();
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

const withQuery = (address: string, query: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${query}`;

const contentType = (
  options: readonly Option[],
  headers: readonly [string, string][],
  hasBody: boolean,
): string | undefined => {
  if (!hasBody || headers.some(([name]) => name.toLowerCase() === 'content-type')) return undefined;
  return options.some(({ name }) => name === 'json')
    ? 'application/json'
    : 'application/x-www-form-urlencoded';
};
