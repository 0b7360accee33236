/** What becomes of an announced version, by the rules of its service. Pure. */
import {
  environments,
  missedBy,
  refusedPackage,
  repositoryNamed,
  type deployRule,
  type service,
  type ValuesOf,
} from '@quarterdeck/events';
import type { AnnouncedVersion } from './announcement';

export type RuleView = ValuesOf<typeof deployRule> & { id: string };
export type ServiceFields = ValuesOf<typeof service>;

export interface MatchedRule {
  rule: { id: string; name: string };
  env: number;
  approval?: 'admin' | 'superadmin';
}

export interface PushPlan {
  /** Why nothing is deployed, or what is. */
  says: string;
  image: string;
  matched: readonly MatchedRule[];
}

const MAX_SAID_RULES = 5;
const strictness = ['nobody', 'admin', 'superadmin'];

export const envInWords = (env: number): string => environments[env - 1] ?? String(env);

const same = (one: string, other: string): boolean =>
  repositoryNamed(one).toLowerCase() === repositoryNamed(other).toLowerCase();

/** A webhook of an organization tells of all its repositories, and one repository may publish several images. */
const strange = (
  { repository, owner, name, image }: AnnouncedVersion,
  { organization, repo, repoFront, packageType, packageSubfolder }: ServiceFields,
): string | undefined => {
  const own = [repo, ...(repoFront === '' ? [] : [repoFront])].map((one) => `${organization}/${one}`);
  if (repository !== '' && !own.some((one) => same(one, repository)))
    return `it is about the repository ${repository}, and this service has ${own.join(' and ')}`;
  if (repository === '' && !same(owner, organization))
    return `it is about a package of ${owner || 'nobody'}, and this service belongs to ${organization}`;
  const expected = packageSubfolder === '' ? repo : packageSubfolder;
  return packageType === 'container' && image !== '' && !same(name, expected)
    ? `it is about the image ${name}, and this service has ${expected}`
    : undefined;
};

interface Ground {
  service: ServiceFields;
  rules: readonly RuleView[];
  /** `ghcr.io` */
  registry: string;
  /** npm names of the packages that the service has, newest first. */
  npmNames: readonly string[];
}

/** A release names neither image nor package. */
const imageFor = (
  { image, version: { tag } }: AnnouncedVersion,
  { service: { organization, repo, packageSubfolder, packageType }, registry, npmNames }: Ground,
): { image: string } | { says: string } => {
  if (image !== '') return { image };
  if (packageType === 'container')
    return {
      image: `${registry}/${organization}/${packageSubfolder || repositoryNamed(repo)}:${tag}`.toLowerCase(),
    };
  const [name] = npmNames;
  return name === undefined
    ? {
        says: 'a release does not name its npm package, and the service has no version yet whose name could be taken',
      }
    : { image: `${name}@${tag.replace(/^v(?=\d)/, '')}` };
};

/** The strictest one of each environment: another rule is no way past an approval. */
const onePerEnvironment = (rules: readonly RuleView[]): RuleView[] => {
  const strictest = new Map<number, RuleView>();
  for (const rule of rules) {
    const before = strictest.get(rule.env);
    if (!before || strictness.indexOf(rule.approval) > strictness.indexOf(before.approval))
      strictest.set(rule.env, rule);
  }
  return [...strictest.values()];
};

const nothing = (says: string): PushPlan => ({ says, image: '', matched: [] });

export const planOf = (announced: AnnouncedVersion, ground: Ground): PushPlan => {
  const { service, rules } = ground;
  const other = strange(announced, service);
  if (other !== undefined) return nothing(`Nothing is deployed: ${other}.`);
  if (rules.length === 0) return nothing('Nothing is deployed: the service has no rule.');
  const judged = rules.map((rule) => ({ rule, why: missedBy(rule, announced.version) }));
  const matching = judged.filter(({ why }) => why === undefined).map(({ rule }) => rule);
  if (matching.length === 0) {
    const reasons = judged.slice(0, MAX_SAID_RULES).map(({ rule, why }) => `${rule.name}: ${why}.`);
    const more =
      judged.length > MAX_SAID_RULES ? [`${judged.length - MAX_SAID_RULES} more rules do not match.`] : [];
    return nothing(['No rule deploys it.', ...reasons, ...more].join(' '));
  }
  const found = imageFor(announced, ground);
  if ('says' in found) return nothing(`Nothing is deployed: ${found.says}.`);
  const unlike = refusedPackage(found.image, service.packageType);
  if (unlike !== undefined) return nothing(`Nothing is deployed: ${found.image} is not accepted: ${unlike}.`);
  const matched = onePerEnvironment(matching);
  return {
    says: matched
      .map(({ name, env, approval }) =>
        approval === 'nobody'
          ? `${name}: deployed to ${envInWords(env)}.`
          : `${name}: waits for approval, then deployed to ${envInWords(env)}.`,
      )
      .join(' '),
    image: found.image,
    matched: matched.map(({ id, name, env, approval }) => ({
      rule: { id, name },
      env,
      ...(approval !== 'nobody' && { approval }),
    })),
  };
};

/** A tag such as `main` moves on, so its version is named with what it was. */
export const versionNamed = (tag: string, digest: string): string =>
  /\d+\.\d+/.test(tag) || digest === '' ? tag : withDigest(tag, digest);

export const withDigest = (tag: string, digest: string): string => {
  const short = digest.replace(/^sha256:/, '').slice(0, 12);
  return `${tag.slice(0, 80)} (${short})`;
};
