/** Deployable packages of a service, one per version. */
import { isDigest, refusedImage } from './image-names';
import { optionalText, text } from './kit/field';
import { noun } from './kit/noun';
import { isIntegrity, npmPackage } from './npm-names';
import type { packageTypes } from './services.noun';

type PackageType = (typeof packageTypes)[number];

const refusedNpm = (name: string): string | undefined =>
  npmPackage(name)
    ? undefined
    : 'an npm package is expected with its exact version, such as @acme/shop@1.4.2';

/** Only an npm package has a scope, or a version after the @. */
const looksLikeNpm = (name: string): boolean => /^@|^[^:/]+@\d/.test(name);

/** Why an image or npm package is refused. Without the type of its service, either is accepted. */
export const refusedPackage = (name: string, type?: PackageType): string | undefined => {
  const isNpm = looksLikeNpm(name);
  if (type === 'npm' || (type === undefined && isNpm)) return refusedNpm(name);
  return isNpm
    ? 'this is an npm package, and the service is deployed from images: such as ghcr.io/acme/shop:1.4.2'
    : refusedImage(name);
};

/** The same of its digest. */
export const refusedDigest = (digest: string, type?: PackageType): string | undefined => {
  if (digest === '') return undefined;
  if (type !== 'npm' && isDigest(digest)) return undefined;
  if (type !== 'container' && isIntegrity(digest)) return undefined;
  const image = 'sha256: and 64 hexadecimal digits in lower case';
  const npm = 'sha512- and 88 characters';
  if (type === undefined) return `${image}, or ${npm} of an npm package, are expected`;
  return `${type === 'npm' ? npm : image} are expected`;
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
      refuses: (name) => refusedPackage(name),
      label: 'Image or npm package',
      help: 'The image with its registry and tag, such as ghcr.io/acme/shop:1.4.2. Of a client service the npm package with its version, such as @acme/shop@1.4.2.',
    }),
    digest: optionalText(100, {
      refuses: (digest) => refusedDigest(digest),
      help: 'If given, only exactly this image or package is deployed: sha256:… of an image, sha512-… of an npm package.',
    }),
  },
});
