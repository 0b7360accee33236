/** Deployable packages of a service, one per version. */
import { optionalText, text } from './kit/field';
import { noun } from './kit/noun';

const REPOSITORY = /^(?:(?:[^/]*[.:][^/]*|localhost)\/)?([^@]*?)(?::[^/:@]*)?(?:@sha256:.*)?$/;

/** Docker refuses such names. An npm package, such as `@acme/shop@1.4.2`, has rules of its own. */
export const refusedImage = (image: string): string | undefined => {
  const [, repository = ''] = REPOSITORY.exec(image) ?? [];
  return /[A-Z]/.test(repository)
    ? `an image name has lower-case letters only: ${repository.toLowerCase()}`
    : undefined;
};

/** Not called `package`, which is a reserved word. */
export const servicePackage = noun('package', {
  path: 'package',
  within: 'service',
  named: 'version',
  unique: ['version'],
  fields: {
    version: text(100),
    image: text(500, {
      refuses: refusedImage,
      label: 'Image or npm package',
      help: 'The image with its registry and tag, such as ghcr.io/acme/shop:1.4.2. Of a client service the npm package with its version, such as @acme/shop@1.4.2.',
    }),
    digest: optionalText(100, {
      help: 'If given, only exactly this image or package is deployed: sha256:… of an image, sha512-… of an npm package.',
    }),
  },
});
