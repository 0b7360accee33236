/** Recognises secrets by their form, in texts that the log keeps for ever. Pure. */

const known: readonly (readonly [what: string, form: RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  // The scheme has a limit: without one, each letter of a long word would be the beginning of a new search.
  // A variable in place of the password is not a secret.
  ['a password in an address', /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@'"]+:[^\s/@'"$]+@/i],
  ['a GitHub token', /\b(?:gh[oprsu]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40})/],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20}/],
  ['a DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{64}/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10}/],
];

/** @returns what kind of secret it looks like, and its first line */
export const plainSecretIn = (text: string): { what: string; line: number } | undefined => {
  for (const [what, form] of known) {
    const at = text.search(form);
    if (at >= 0) return { what, line: text.slice(0, at).split('\n').length };
  }
  return undefined;
};
