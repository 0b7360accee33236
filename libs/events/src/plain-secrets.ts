/** Recognises secrets by their form and by their name, before the log keeps them in plain text for ever. Pure. */

/**
 * Each form begins with a fixed text, or is bounded, so a search takes time in proportion to the text. A variable in
 * place of a password (`$PASSWORD`, `${PASSWORD}`) is not a secret, but a password may contain a `$`.
 */
const known: readonly (readonly [what: string, form: RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\bAGE-SECRET-KEY-1[A-Z0-9]{20}|\bPuTTY-User-Key-File-\d/],
  ['a password in an address', /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:'"]{0,200}:(?!\$\{|\$\w{1,100}@)[^\s/@'"]{1,500}@|\b[\w.-]{1,100}:(?!\$\{|\$\w{1,100}@)[^\s/'"@]{1,200}@(?:tcp|unix)\(/i],
  ['a password in a JDBC address', /\bjdbc:(?:[^\s'"]{0,200}[?&;:]\w{0,20}(?:password|pwd)=(?:\{[^$}]|(?!\$\{|\$\w{1,100}(?:[;&\s]|$))[^\s;&'"{])|oracle:\w{1,10}:[^\s/@'"]{1,100}\/[^\s@'"$]{1,100}@)/i],
  [
    'a password in a connection string',
    /\b(?:server|data source|driver|dsn|host|uid|user(?: id)?|database|initial catalog)\s{0,3}=[^;\n]{0,200};(?:[^\n]{0,200};)?\s{0,3}(?:pwd|password)\s{0,3}=\s{0,3}(?:\{[^$}]|(?!\$\{|\$\w{1,100}(?:[;\s]|$))[^\s;'"{*<])/i,
  ],
  [
    'a password in a connection string',
    /\b(?:pwd|password)\s{0,3}=\s{0,3}(?!\$\{|\$\w{1,100}[;\s])[^\s;'"*<][^;\n]{0,200};[^\n]{0,200}\b(?:server|data source|driver|host|uid|user id|database|initial catalog)\s{0,3}=/i,
  ],
  [
    'a password in a connection string',
    /\b(?:host|hostaddr|dbname|user)=[^\s;'"]{1,200}\s[^\n]{0,200}\bpassword=(?!\$\{|\$\w{1,100}(?:\s|$))[^\s'"*<]/i,
  ],
  ['a password in a connection string', /\b[\w.-]{1,200}:\d{1,5},(?:[^\s,]{1,100},){0,20}password=(?!\$\{|\$\w{1,100}(?:[,\s]|$))[^\s,'"*<]/i],
  ['a GitHub token', /\b(?:gh[oprsu]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40})/],
  ['a GitLab token', /\bgl(?:pat|dt|rt|ptt|ft|soat)-[A-Za-z0-9_-]{20}/],
  ['a DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{64}/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a Google key', /\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20})/],
  ['an Azure key', /\b(?:AccountKey|SharedAccessKey|SharedSecretValue)=[A-Za-z0-9+/]{40}|[?&]sig=[\w%+/]{40}|[\w~.-]{3}\dQ~[\w~.-]{34}/i],
  ['a Stripe key', /\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16}|whsec_[A-Za-z0-9+/]{20})/],
  ['a Slack token', /\b(?:xox[abeoprs]-[A-Za-z0-9-]{10}|xapp-\d-[A-Z0-9]{8})/],
  ['a webhook address', /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20}|\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{17,20}\/[\w-]{40}|\.webhook\.office\.com\/webhookb2\/[\w@-]{20}/],
  ['a SendGrid key', /\bSG\.[\w-]{16,32}\.[\w-]{16}/],
  ['a Mailgun key', /\bkey-[a-f0-9]{32}\b/],
  ['a Twilio key', /\bSK[a-f0-9]{32}\b/],
  ['a Telegram token', /\b(?:bot)?\d{8,10}:AA[\w-]{33}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}/],
  ['a PyPI token', /\bpypi-AgEIcHlwaS5vcmc/],
  ['a Docker token', /\bdckr_(?:pat|oat)_[\w-]{27}/],
  ['an OpenAI or Anthropic key', /\bsk-(?:proj-|svcacct-|ant-)?[\w-]{32}/],
  ['a Vault token', /\bhv[sbr]\.[\w-]{24}/],
  ['a Shopify token', /\bshp(?:at|ca|pa|ss)_[a-f0-9]{32}/],
  ['a Grafana token', /\bgl(?:sa|c)_[A-Za-z0-9+/]{32}/],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{30}/],
  ['a Groq key', /\bgsk_[A-Za-z0-9]{40}/],
  ['an Atlassian token', /\bATATT3[\w=-]{20}/],
  ['a Linear key', /\blin_api_[A-Za-z0-9]{30}/],
  ['a New Relic key', /\bNRAK-[A-Z0-9]{20}/],
  ['a Databricks token', /\bdapi[a-f0-9]{32}/],
  ['a Mailchimp key', /\b[a-f0-9]{32}-us\d{1,2}\b/],
  ['a registry login', /"auth"\s{0,3}:\s{0,3}"[A-Za-z0-9+/]{8,2000}={0,2}"/],
  ['an authorization', /^(?:Basic|Bearer) (?=[^\n]{0,200}[\d=])[\w.~+/-]{8,4000}={0,2}$/im],
  ['a signed token (JWT)', /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{2,20000}\.[\w-]{8}/],
]; // prettier-ignore

/** @returns what kind of secret it looks like, and its first line */
export const plainSecretIn = (text: string): { what: string; line: number } | undefined => {
  for (const [what, form] of known) {
    const at = text.search(form);
    if (at >= 0) return { what, line: text.slice(0, at).split('\n').length };
  }
  return undefined;
};

const ADDRESSES: ReadonlySet<string> = new Set([
  'a password in an address',
  'a password in a JDBC address',
  'a password in a connection string',
]);

/** In every address with a password. Most texts have none of them, and the forms are dear on a long one. */
const IN_ADDRESSES = /@|password|pwd/i;

/** Whether an address was pasted together with its password, such as `mysql://app:secret@db/shop`. */
export const hasPasswordInAddress = (text: string): boolean =>
  IN_ADDRESSES.test(text) && known.some(([what, form]) => ADDRESSES.has(what) && form.test(text));

const SECRET_NAME =
  /(?<!com|by)pass(words?|wd|phrases?)?\d*([_.-]|$)|pwd\d*([_.-]|$)|secret|token|cred(ential)?s?\d*([_.-]|$)|credential|private|mnemonic|authorization|(basic|http|proxy|registry)_?auth([_.-]|$)|auth_header|conn(ection)?_?str(ing)?|(^|[_.-])(api_?|app_?|access_?|encryption_?|signing_?)?keys?\d*([_.-]|$)|(^|[_.-])(pw|dsn|pat|salt|pepper|jwt|webhook(_url)?)\d*([_.-]|$)/i;
/** `stripeKey` */
const CAMEL_NAME = /[a-z](?<!public)(?:Keys?|Pw|Dsn)$/;

/** Whether a variable is kept as a secret unless somebody says otherwise. */
export const looksLikeSecret = ({ key, value }: { key: string; value: string }): boolean =>
  SECRET_NAME.test(key) || CAMEL_NAME.test(key) || plainSecretIn(value) !== undefined;
