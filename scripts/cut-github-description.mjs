/**
 * Cuts GitHub's published description of its API down to the calls that the console makes. The stand-in of the tests
 * checks every request and answer against the result.
 *
 *     npm pack @octokit/openapi@23.0.2   # in a temporary folder: 29 MB, 400 MB unpacked
 *     tar xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
 *     node scripts/cut-github-description.mjs package/generated/api.github.com.json
 */
import fs from 'node:fs';
import path from 'node:path';

const target = path.resolve(import.meta.dirname, '../testing/github/description.json');

const repo = '/repos/{owner}/{repo}';
const wanted = {
  '/rate_limit': ['get'],
  '/user': ['get'],
  [repo]: ['get', 'delete'],
  '/repos/{template_owner}/{template_repo}/generate': ['post'],
  [`${repo}/git/ref/{ref}`]: ['get'],
  [`${repo}/git/refs/{ref}`]: ['patch'],
  [`${repo}/git/commits`]: ['post'],
  [`${repo}/git/commits/{commit_sha}`]: ['get'],
  [`${repo}/git/trees`]: ['post'],
  [`${repo}/git/trees/{tree_sha}`]: ['get'],
  [`${repo}/git/blobs/{file_sha}`]: ['get'],
  [`${repo}/tags`]: ['get'],
  [`${repo}/releases`]: ['get', 'post'],
  [`${repo}/actions/workflows`]: ['get'],
  [`${repo}/actions/workflows/{workflow_id}/dispatches`]: ['post'],
  [`${repo}/actions/runs`]: ['get'],
  '/orgs/{org}/packages/{package_type}/{package_name}/versions': ['get'],
  '/users/{username}/packages/{package_type}/{package_name}/versions': ['get'],
};

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('Usage: node scripts/cut-github-description.mjs <api.github.com.json>');
  process.exit(2);
}
const all = JSON.parse(fs.readFileSync(source, 'utf8'));

/** Keys that only people read. A property that happens to have such a name is kept. */
const PROSE = /^(description|summary|example|examples|externalDocs|operationId|tags|title|deprecated|x-.*)$/;
const bare = (value, isNames = false) => {
  if (Array.isArray(value)) return value.map((one) => bare(one));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isNames || !PROSE.test(key));
  return Object.fromEntries(
    kept.map(([key, one]) => [key, bare(one, !isNames && (key === 'properties' || key === 'schemas'))]),
  );
};

const found = (ref) =>
  ref
    .slice(2)
    .split('/')
    .reduce((at, part) => at[part], all);
const components = {};
const follow = (value) => {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.$ref === 'string') {
    const [, kind, name] = value.$ref.slice(2).split('/');
    components[kind] ??= {};
    if (components[kind][name] !== undefined) return;
    components[kind][name] = bare(found(value.$ref));
    follow(components[kind][name]);
    return;
  }
  for (const one of Object.values(value)) follow(one);
};

const paths = {};
for (const [template, methods] of Object.entries(wanted))
  for (const method of methods) {
    const operation = bare(all.paths[template][method]);
    paths[template] = { ...paths[template], [method]: operation };
    follow(operation);
  }

const { title, version } = all.info;
const cut = { openapi: all.openapi, info: { title, version }, paths, components };
fs.writeFileSync(target, `${JSON.stringify(cut)}\n`);
console.log(`${path.relative(process.cwd(), target)}: ${fs.statSync(target).size} bytes`);
