/** Input schemas of the DNS calls. The console's forms use the same schemas. */
import { z } from 'zod';
import { array, boolean, integer, messages, numericId, object, oneOf, optionalText, text } from './rules';

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/i;

/** A valid DNS name in ASCII, with or without the final dot. */
export const isHostName = (value: string): boolean =>
  value.length <= 253 &&
  value
    .replace(/\.$/, '')
    .split('.')
    .every((part) => label.test(part));

const hostName = text(253).refine(isHostName, { error: 'a host name is expected, such as shop.example.org' });
const part = text(63).refine((value) => label.test(value), {
  error: 'one part of a host name is expected, without dots',
});

export const ipv4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/;
const resolver = text(60).regex(/^(\[[0-9a-fA-F:.]+\](:\d{1,5})?|[0-9a-fA-F:]+|[0-9.]+(:\d{1,5})?)$/, {
  error: 'the address of a DNS server is expected, such as 9.9.9.9 or 127.0.0.1:5353',
});

/** `hostname`: also accepts an address, or Unicode. The error names anything that cannot be looked up. */
export const ipFromHostname = object({ hostname: text(253) });

/** Points `{name}.{SLD}.{TLD}` to the address `ip`. `replace`: even if the name has another address. */
export const dnsHostAdd = object({
  name: part,
  /** The parent up to its last dot: `apps.example` of `apps.example.org`. */
  SLD: hostName,
  TLD: part,
  ip: text(15).regex(ipv4, { error: 'an IPv4 address is expected, such as 203.0.113.7' }),
  replace: boolean.optional(),
});

const secret = optionalText(4096);
const port = numericId(65535);

/** If `secret` or `token` is omitted, the stored one stays. */
const rfc2136 = object({
  kind: z.literal('rfc2136'),
  zone: hostName,
  server: text(253),
  port,
  keyName: hostName,
  algorithm: oneOf(['hmac-sha256', 'hmac-sha384', 'hmac-sha512']),
  secret,
});
const digitalocean = object({ kind: z.literal('digitalocean'), zone: hostName, secret });

const settings = {
  resolvers: array(resolver, 5),
  parent: hostName.optional(),
  ttl: integer(604_800).refine((seconds) => seconds >= 30, { error: messages.tooSmall(30) }),
  provider: z
    .discriminatedUnion('kind', [rfc2136, digitalocean], {
      error: () => messages.type('rfc2136 | digitalocean'),
    })
    .optional(),
};

/** Form schema of `workspaceDns`. */
export const dnsSettings = object(settings);
export const workspaceDns = object({ ...settings, revision: integer().optional() });
