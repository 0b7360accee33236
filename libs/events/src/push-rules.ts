/**
 * Which versions a rule about pushes deploys. Pure, and without a library: the form tries the same on earlier deliveries
 * while a rule is typed.
 */
export const pushStarts = ['package', 'release'] as const;
export type PushStart = (typeof pushStarts)[number];

/** What the source host says about a version. Everything in it is untrusted. */
export interface PushedVersion {
  starts: PushStart;
  /** Of the image, the package or the release. */
  tag: string;
  /** Empty: the source host does not say. */
  branch: string;
  preRelease: boolean;
}

/** The fields of a rule that decide. */
export interface PushRuleFields {
  isOn: boolean;
  starts: PushStart;
  compares: 'tag' | 'branch';
  pattern: string;
  preReleases: boolean;
}

/** `*` is any text, `?` one character. Needs no more steps than the product of both lengths. */
export const matchesGlob = (pattern: string, text: string): boolean => {
  let [at, inText] = [0, 0];
  let star: { at: number; inText: number } | undefined;
  while (inText < text.length) {
    const char = pattern[at];
    if (char === '*') {
      star = { at, inText };
      at += 1;
    } else if (char !== undefined && (char === '?' || char === text[inText])) {
      at += 1;
      inText += 1;
    } else if (star) {
      star.inText += 1;
      at = star.at + 1;
      inText = star.inText;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
};

/** Why a pattern is refused; undefined if it is accepted. */
export const refusedPattern = (pattern: string): string | undefined => {
  if (/\s/.test(pattern)) return 'a branch or tag has no spaces: such as main, or v*';
  if (pattern.startsWith('refs/'))
    return 'only the name of the branch or tag is expected, without refs/heads/ or refs/tags/';
  return /[[\]{}\\^$|()]/.test(pattern)
    ? 'only * for any text and ? for one character have a meaning: such as v*, or release-?'
    : undefined;
};

/** Whether a tag is a version before a release, as in semantic versioning: `v1.4.0-rc.1`. */
export const isPreRelease = (tag: string): boolean => /^v?\d+\.\d+(\.\d+)?-[\w.-]+/i.test(tag);

const started = { package: 'a published package', release: 'a published release' } as const;

/** Why a rule does not deploy the version; undefined if it does. */
export const missedBy = (
  { isOn, starts, compares, pattern, preReleases }: PushRuleFields,
  { starts: is, tag, branch, preRelease }: PushedVersion,
): string | undefined => {
  if (!isOn) return 'it is switched off';
  if (starts !== is) return `it waits for ${started[starts]}, and this is ${started[is]}`;
  const compared = compares === 'tag' ? tag : branch;
  if (compared === '') return `the source host names no ${compares}`;
  if (!matchesGlob(pattern, compared))
    return `it wants a ${compares} like ${pattern}, and this is ${compared}`;
  return preRelease && !preReleases ? `${tag} is a pre-release` : undefined;
};
