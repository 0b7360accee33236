/** The files that the console writes into repositories. Pure except for reading the repository. */
import type { Edit } from './commits';

/** A name that npm and container registries accept. */
export const packageNameOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'service';

/** Changes fields of a package file and keeps its indentation. Undefined if the text is not a JSON object. */
const withFields = (text: string, fields: Record<string, unknown>): string | undefined => {
  try {
    const before = JSON.parse(text) as unknown;
    if (typeof before !== 'object' || before === null || Array.isArray(before)) return undefined;
    const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
    return `${JSON.stringify({ ...before, ...fields }, undefined, indent)}\n`;
  } catch {
    return undefined;
  }
};

/** Sets the name in the package file and in the heading of the README. */
export const named =
  (name: string, { organization, repo }: { organization: string; repo: string }): Edit =>
  async (repository) => {
    const manifest = await repository.read('package.json');
    const scope = /"name":\s*"(@[^/"]+)\//.exec(manifest ?? '')?.[1];
    const plain = packageNameOf(repo);
    const renamed =
      manifest === undefined
        ? undefined
        : withFields(manifest, {
            name: scope === undefined ? plain : `@${organization.toLowerCase()}/${plain}`,
            description: name,
          });
    const readme = (await repository.read('README.md')) ?? '';
    const heading = `# ${name}`;
    return {
      ...(renamed !== undefined && { 'package.json': renamed }),
      'README.md': /^# .*$/m.test(readme)
        ? readme.replace(/^# .*$/m, () => heading)
        : `${heading}\n${readme === '' ? '' : `\n${readme}`}`,
    };
  };

/** Sets the version in the package file, which npm publishes. */
export const versioned =
  (tag: string): Edit =>
  async (repository) => {
    const manifest = await repository.read('package.json');
    const text =
      manifest === undefined ? undefined : withFields(manifest, { version: tag.replace(/^v/, '') });
    const files: Record<string, string> = text === undefined ? {} : { 'package.json': text };
    return files;
  };

const ACTION = '.github/workflows/publish-package.yml';

const head = `name: Publish package
on:
  release:
    types: [published]
  workflow_dispatch:
jobs:
  publish:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      packages: write
    steps:
      - uses: actions/checkout@v4
`;

const npm = (registry: string): string => `${head}      - uses: actions/setup-node@v4
        with:
          node-version: 22
          registry-url: ${registry}
      - run: npm ci
      - run: npm run build --if-present
      - run: npm publish
        env:
          NODE_AUTH_TOKEN: \${{ secrets.GITHUB_TOKEN }}
`;

const container = (registry: string): string => `${head}      - uses: docker/login-action@v3
        with:
          registry: ${registry}
          username: \${{ github.actor }}
          password: \${{ secrets.GITHUB_TOKEN }}
      - id: image
        uses: docker/metadata-action@v5
        with:
          images: ${registry}/\${{ github.repository }}
          tags: type=ref,event=tag
      - uses: docker/build-push-action@v6
        with:
          push: true
          tags: \${{ steps.image.outputs.tags }}
          labels: \${{ steps.image.outputs.labels }}
`;

/** Adds a workflow that publishes the package at each release. */
export const publishing =
  (kind: 'container' | 'npm', registries: Record<'container' | 'npm', string>): Edit =>
  () =>
    Promise.resolve({ [ACTION]: { npm, container }[kind](registries[kind]) });

/** Adds the files of a data model in their own folder. */
export const modelled =
  (files: Readonly<Record<string, string>>): Edit =>
  () =>
    Promise.resolve(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`data-model/${path}`, text])),
    );
