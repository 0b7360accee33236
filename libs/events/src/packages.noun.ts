/** Packages of a service: what can be deployed, one for each version. */
import { optionalText, text } from './kit/field';
import { noun } from './kit/noun';

/** Not called `package`, which is a reserved word. */
export const servicePackage = noun('package', {
  path: 'package',
  within: 'service',
  named: 'version',
  unique: ['version'],
  fields: {
    version: text(100),
    image: text(500, { help: 'The image with its registry and tag, such as ghcr.io/acme/shop:1.4.2.' }),
    digest: optionalText(100, {
      help: 'If given, exactly this image is deployed, whatever its tag leads to later: sha256:…',
    }),
  },
});
