/** Container registries that want a login. Servers log in to them when an image is pulled. */
import { secret, text } from './kit/field';
import { noun } from './kit/noun';

/** As it is written in the names of images. */
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i;

export const registry = noun('registry', {
  path: 'registry',
  many: 'registries',
  named: 'host',
  unique: ['host'],
  fields: {
    host: text(260, {
      help: 'As in the names of its images, with its port if it has one. Docker Hub is docker.io.',
      refuses: (host) =>
        HOST.test(host)
          ? undefined
          : 'a host is expected, as in the names of its images: registry.example.com:5000',
    }),
    username: text(200, { label: 'User name' }),
    token: secret(10_000, {
      label: 'Token or password',
      help: 'One that may only read is enough. Stored encrypted. Administrators can show it; the history records that.',
    }),
  },
});
