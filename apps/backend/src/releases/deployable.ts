/** Determines the image or npm package that a service is deployed from. Pure. */
import {
  refusedImage,
  type EventData,
  type service,
  type servicePackage,
  type ValuesOf,
} from '@quarterdeck/events';
import { DomainError, invalidField } from '../platform/errors';
import { byDigest, isDigest, isImage } from './images';
import { isIntegrity, npmPackage } from './npm-packages';

type Deployed = Pick<EventData<'ReleaseRequested'>, 'client'> & { image: string };

const FOLDER = /^(?!\.)[\w.@-]+(\/(?!\.)[\w.@-]+)*$/;

/** @throws DomainError that names the invalid field of the package or of the service */
export const deployable = (
  { image, digest }: ValuesOf<typeof servicePackage>,
  { packageType, packageSubfolder: folder }: ValuesOf<typeof service>,
): Deployed => {
  const isClient = packageType === 'npm';
  const refused = (reason: string) => invalidField('packageId', `the package has no valid ${reason}`);
  if (isClient && !npmPackage(image))
    throw refused(`npm package: ${image} is not name@version, such as @acme/shop@1.4.2`);
  if (!isClient && !isImage(image)) throw refused(`image: ${image} is not registry/name:tag`);
  const unlike = isClient ? undefined : refusedImage(image);
  if (unlike !== undefined) throw refused(`image: ${unlike}`);
  if (digest !== '' && !(isClient ? isIntegrity : isDigest)(digest))
    throw refused(`digest: ${isClient ? 'sha512- and 88 characters' : 'sha256: and 64 digits'} are expected`);
  if (isClient && folder !== '' && !FOLDER.test(folder))
    throw new DomainError(
      'unprocessable',
      `the service has ${folder} as the path of its package: a folder inside the package is expected, such as dist`,
    );
  return {
    image: digest === '' ? image : byDigest(image, digest),
    ...(isClient && { client: { folder } }),
  };
};
