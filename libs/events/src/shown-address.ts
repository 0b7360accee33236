/**
 * A web address as it may be shown and recorded: its host and the first part of its path. Name, password, query and the
 * rest of the path may hold a secret, so the whole address is kept in the vault. Pure.
 */

import { URL } from 'whatwg-url';

/** Random text, as in keys and tokens: a long word of letters and digits, or one that is longer than words are. */
export const looksSecret = (text: string): boolean =>
  (text.match(/[A-Za-z0-9]{12,}/g) ?? []).some(
    (word) => word.length >= 24 || (/[0-9]/.test(word) && /[A-Za-z]/.test(word)),
  );

/** What is shown stands for itself: the same again changes nothing. */
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
