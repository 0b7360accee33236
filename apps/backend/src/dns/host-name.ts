/** Host names in their stored form, and their three parts. */
import { invalidField } from '../platform/errors';
import { readHost } from '../platform/outbound';

/**
 * A host name in punycode, in lower case and without the final dot. Labels consist of letters, digits, hyphens and
 * underscores.
 *
 * @throws DomainError `invalid` that names `field`
 */
export const hostNameOf = (text: string, field = 'hostname'): string => {
  const host = readHost(text.trim());
  if (
    host?.is !== 'name' ||
    !host.name.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/.test(label))
  )
    throw invalidField(field, `${field} is not a host name such as shop.example.org`);
  return host.name;
};

export interface HostNameParts {
  /** The one label below the parent. */
  name: string;
  /** The parent without its last label. */
  SLD: string;
  /** The parent's last label. */
  TLD: string;
}

const wrong = (hostName: string, why: string): Error => invalidField('hostname', `${hostName} ${why}`);

/**
 * Splits a host name directly below the parent: `shop.example.org` below `example.org` gives `shop`, `example` and
 * `org`.
 *
 * @throws DomainError `invalid` for names elsewhere, deeper names and the parent itself
 */
export const splitHostName = (hostname: string, parent: string): HostNameParts => {
  const whole = hostNameOf(hostname);
  const above = hostNameOf(parent, 'parent');
  const dot = above.lastIndexOf('.');
  if (dot < 0) throw invalidField('parent', `parent needs two parts, such as example.org, and is ${above}`);
  const right = `only names such as shop.${above} can be added here`;
  if (whole === above) throw wrong(whole, `is the parent itself; ${right}`);
  if (!whole.endsWith(`.${above}`)) throw wrong(whole, `does not end in .${above}; ${right}`);
  const name = whole.slice(0, -above.length - 1);
  if (name.includes('.'))
    throw wrong(whole, `has ${name.split('.').length} parts before .${above}; ${right}`);
  return { name, SLD: above.slice(0, dot), TLD: above.slice(dot + 1) };
};

/**
 * Joins the three parts that `host/add` receives.
 *
 * @throws DomainError `invalid` if the result is not directly below the parent
 */
export const joinHostName = ({ name, SLD, TLD }: HostNameParts, parent: string): string => {
  const whole = hostNameOf(`${name}.${SLD}.${TLD}`, 'name');
  splitHostName(whole, parent);
  return whole;
};
