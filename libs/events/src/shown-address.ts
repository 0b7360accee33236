/**
 * The part of a web address that may be shown and recorded: the host and the first part of the path. User name,
 * password, query and the rest of the path may contain a secret, so the whole address is kept in the vault. Pure.
 */

import { URL } from 'whatwg-url';

/**
 * Looks like random text, as in keys and tokens: a long mix of letters and digits, or a string longer than any word.
 */
export const looksSecret = (text: string): boolean =>
  (text.match(/[A-Za-z0-9]{12,}/g) ?? []).some(
    (word) => word.length >= 24 || (/[0-9]/.test(word) && /[A-Za-z]/.test(word)),
  );

/** Idempotent: a shortened address stays the same. */
export const shownAddress = (address: string): string => {
  if (!URL.canParse(address)) return '…';
  const url = new URL(address);
  const [first = '', ...rest] = url.pathname.slice(1).split('/');
  const { search, hash, username, password } = url;
  const more = rest.length > 0 || [search, hash, username, password].some((part) => part !== '');
  if (looksSecret(first) || (more && first === '')) return `${url.origin}/…`;
  return more ? `${url.origin}/${first}/…` : address;
};

export const isShortened = (address: string): boolean => address.includes('/…');
