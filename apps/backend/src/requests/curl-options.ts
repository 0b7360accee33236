/** The options of a curl command: which take a value, what they mean here, and which cannot be imported. Pure. */
import { refuseImport, shortened } from './import-words';

const SHORT: Record<string, string> = {
  X: 'request', H: 'header', d: 'data', G: 'get', F: 'form', u: 'user', b: 'cookie', A: 'user-agent', e: 'referer',
  k: 'insecure', L: 'location', I: 'head', s: 'silent', S: 'show-error', v: 'verbose', i: 'include', o: 'output',
  x: 'proxy', T: 'upload-file', m: 'max-time', f: 'fail', g: 'globoff', N: 'no-buffer', O: 'remote-name', '#': 'progress-bar',
  q: 'disable', '0': 'http1.0', '1': 'tlsv1', '4': 'ipv4', '6': 'ipv6', w: 'write-out', c: 'cookie-jar', D: 'dump-header',
  r: 'range', E: 'cert', K: 'config', n: 'netrc', Y: 'speed-limit', y: 'speed-time',
}; // prettier-ignore

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** They are read, and take a value. */
const TAKES =
  words(`request header data data-raw data-binary data-ascii data-urlencode json user cookie user-agent
  referer url oauth2-bearer`);
const FLAGS = words('get head location');
/** They change how curl works, not what is sent. */
const IGNORED =
  words(`silent show-error verbose include compressed compressed-ssh fail fail-with-body globoff no-buffer
  ipv4 ipv6 http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3
  no-progress-meter progress-bar tcp-nodelay tcp-fastopen no-keepalive no-sessionid ssl-no-revoke remote-name
  remote-name-all remote-header-name raw disable location-trusted post301 post302 post303 anyauth basic create-dirs`);
const IGNORED_WITH_VALUE =
  words(`output max-time connect-timeout retry retry-delay retry-max-time write-out cookie-jar
  dump-header limit-rate max-redirs max-filesize keepalive-time speed-limit speed-time stderr trace trace-ascii ciphers
  tls13-ciphers tls-max proto proto-redir proto-default dns-servers interface expect100-timeout output-dir`);

const elsewhere = 'the address of the name is looked up when it is sent: leave this option out';
const byCertificate = 'a certificate of the caller cannot be sent from here';
const forms = 'forms with files (-F) cannot be sent from here';
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['form', forms],
  ['form-string', forms],
  ['upload-file', 'files (-T) cannot be sent from here'],
  ['insecure', 'certificates are always checked: leave -k out'],
  ['proxy', 'a proxy cannot be chosen here: leave -x out'],
  ['resolve', elsewhere],
  ['connect-to', elsewhere],
  ['cert', byCertificate],
  ['key', byCertificate],
  ['config', 'the file of -K cannot be read from here: paste its options instead'],
  ['netrc', 'the file of -n cannot be read from here: use -u instead'],
]);

export interface Option {
  name: string;
  value: string;
}

const takesValue = (name: string): boolean => TAKES.has(name) || IGNORED_WITH_VALUE.has(name);

/** @throws DomainError on an option that cannot be imported, or is not known: its value might be taken for an address */
const judged = (name: string, written: string): void => {
  const why = REFUSED.get(name);
  if (why !== undefined) throw refuseImport(why);
  const isKnown = takesValue(name) || FLAGS.has(name) || IGNORED.has(name) || name.startsWith('no-');
  if (!isKnown) throw refuseImport(`the option ${shortened(written, 50)} is not known here: leave it out`);
};

/** @param all the words after `curl` @throws DomainError on an option that cannot be imported */
export const optionsOf = (all: readonly string[]): Option[] => {
  const found: Option[] = [];
  for (let at = 0; at < all.length; at += 1) {
    const word = all[at] ?? '';
    const next = (): string => {
      at += 1;
      const value = all[at];
      if (value === undefined)
        throw refuseImport(`${shortened(word, 50)} needs a value: paste the whole command`);
      return value;
    };
    if (word.startsWith('--') && word !== '--') {
      const [name = '', own] = word.slice(2).split(/=(.*)/s);
      judged(name, `--${name}`);
      found.push({ name, value: own ?? (takesValue(name) ? next() : '') });
    } else if (word.startsWith('-') && word.length > 1 && word !== '--') {
      for (let letter = 1; letter < word.length; letter += 1) {
        const written = word.charAt(letter);
        const name = Object.hasOwn(SHORT, written) ? (SHORT[written] ?? '') : written;
        judged(name, `-${written}`);
        const rest = word.slice(letter + 1);
        if (!takesValue(name)) found.push({ name, value: '' });
        else {
          found.push({ name, value: rest === '' ? next() : rest });
          break;
        }
      }
    } else if (word !== '--') found.push({ name: 'url', value: word });
  }
  return found;
};
