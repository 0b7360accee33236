/** What is wrong with a field of an alert channel, and what would be right. Of a stored secret nothing is known here. */
type Fields = Readonly<Record<string, unknown>>;

/** Without a library for addresses, because lists load the fields too. The back end reads them again. */
const WEB =
  /^https?:\/\/(?<login>[^/?#@]*@)?(?<host>[^\s/?#@:[\]]+|\[[\da-f:.]+\])(?<port>:\d{1,5})?(?<path>\/[^\s?#]*)?(?<more>[?#]\S*)?$/i;
const partsOf = (value: string) => WEB.exec(value)?.groups;

/** Addresses that services give for their webhooks, by the kind of channel. */
const forms: Readonly<Record<string, { host: RegExp; path: RegExp; example: string }>> = {
  Slack: {
    host: /^hooks\.slack(-gov)?\.com$/,
    path: /^\/(services|workflows|triggers)\/.+/,
    example: 'https://hooks.slack.com/services/T…/B…/…',
  },
  Discord: {
    host: /^(\w+\.)?discord(app)?\.com$/,
    path: /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+$/,
    example: 'https://discord.com/api/webhooks/…/…',
  },
};

export const refusedAddress = (value: unknown, { kind }: Fields): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const parts = partsOf(value);
  if (!parts) return 'a web address is expected, such as https://hooks.example.org/console';
  const { login, host: at = '', path: rest = '' } = parts;
  if (login !== undefined) return 'a web address without a name and a password is expected';
  for (const [service, { host, path, example }] of Object.entries(forms)) {
    if (!host.test(at)) continue;
    if (service !== kind && kind !== 'webhook')
      return `this is an address of ${service}: choose ${service} as the kind, or enter an address of ${String(kind)}`;
    if (!path.test(rest)) return `this is no webhook of ${service}: it looks like ${example}`;
  }
  return undefined;
};

export const refusedSigningSecret = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length < 16
    ? 'a secret of at least 16 characters is expected'
    : undefined;

/** Without quotes and other forms that hardly any mailbox has, so a mistake is noticed here. */
const MAILBOX = /^[^\s@<>",;:()[\]\\]{1,64}@(?=.{1,253}$)([\w-]+\.)*[\w-]+$/u;

export const refusedSender = (value: string): string | undefined =>
  MAILBOX.test(value) ? undefined : 'an e-mail address is expected, such as alerts@example.org';

const MAX_RECIPIENTS = 20;

export const recipientsIn = (value: string): readonly string[] =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

export const refusedRecipients = (value: string, { kind, members }: Fields): string | undefined => {
  const all = recipientsIn(value);
  const hasMembers = Array.isArray(members) && members.length > 0;
  if (all.length === 0 && (kind !== 'e-mail' || hasMembers)) return undefined;
  const wrong = all.find((one) => !MAILBOX.test(one));
  if (wrong !== undefined) return `${wrong} is no e-mail address: ops@example.org would be one`;
  if (all.length === 0) return 'a member, or an e-mail address such as ops@example.org, is expected';
  return all.length > MAX_RECIPIENTS ? `at most ${MAX_RECIPIENTS} addresses are expected` : undefined;
};

export const refusedServer = (value: string): string | undefined => {
  const parts = partsOf(value);
  if (!parts) return 'a web address is expected, such as https://gotify.example.org';
  if (parts['login'] !== undefined || parts['more'] !== undefined)
    return 'only the address is expected, without a name, a password or parameters';
  return undefined;
};

export const refusedChat = (value: string): string | undefined =>
  /^(-?\d{1,20}|@\w{4,32})$/.test(value)
    ? undefined
    : 'the id of a chat is expected, such as -1001234567890, or the name of a public channel, such as @alerts';

export const refusedTopic = (value: string): string | undefined =>
  /^[\w-]{1,64}$/.test(value) ? undefined : 'only letters, digits, _ and - are expected';

export const refusedToken = (value: unknown, { kind }: Fields): string | undefined =>
  kind === 'Telegram' && typeof value === 'string' && !/^\d{6,12}:[\w-]{30,60}$/.test(value)
    ? 'the token of a bot is expected, such as 123456789:AAE…'
    : undefined;

export const refusedKey = (value: unknown): string | undefined =>
  typeof value === 'string' && !/^[\da-zA-Z]{32}$/.test(value)
    ? 'an integration key of 32 letters and digits is expected'
    : undefined;
