/** Exit codes in addition to the general ones: 2 a folder is missing, 75 another certbot is running, 127 no certbot. */
export const certbotExit = {
  missing: 127,
  /** The certificate authority refused the order or the validation. `problem` and `detail` say why. */
  refused: 20,
  /** The authority refuses for now: rate limit or overload. `retryAfter` says how long, if the authority said so. */
  tooMany: 21,
  /** The authority could not be reached, or its certificate is not trusted. */
  unreachable: 22,
  /** certbot failed for a reason of its own. */
  failed: 23,
  /** The certificate does not exist. */
  absent: 24,
  /** A site still uses the certificate. */
  inUse: 25,
  /** The certificate was there before the console, with names or settings of its owner. */
  theirs: 26,
  /** certbot's folder for this name is damaged. The next certificate would be stored elsewhere. */
  broken: 27,
  /** A certificate was issued, or was to be, but the site does not get it. */
  wasted: 28,
  /** certbot was told not to go on, because the proof is not in DNS. */
  unproved: 29,
  /** certbot does not wait for its proof any more. */
  gone: 30,
} as const;
