// covers: DOCK-01
import { DomainError } from '../platform/errors';
import { placeIn } from './repository-reads';

const refusal = (address: string, pages = 'https://github.com') => {
  try {
    return placeIn(address, pages, 'values.repoUrl');
  } catch (error) {
    return error instanceof DomainError ? error.data : error;
  }
};

test.each([
  'acme/shop',
  'https://github.com/acme/shop',
  'https://GitHub.com/acme/shop.git',
  'https://www.github.com/acme/shop/',
  'https://ada@github.com/acme/shop',
  'git@github.com:acme/shop.git',
  'ssh://git@ssh.github.com:443/acme/shop.git',
])('%s is a repository of the source host', (address) => {
  expect(placeIn(address, 'https://github.com')).toEqual({ organization: 'acme', repo: 'shop' });
});

test('the host of an Enterprise Server is that of its pages', () => {
  const pages = 'https://git.example.org:8443';
  expect(placeIn('https://git.example.org:8443/acme/shop', pages)).toEqual({
    organization: 'acme',
    repo: 'shop',
  });
  expect(refusal('https://github.com/acme/shop', pages)).toEqual({
    'values.repoUrl':
      'github.com is not the source host of this console: the address of a repository at git.example.org is expected, such as https://git.example.org:8443/acme/shop',
  });
});

test.each([
  ['https://gitlab.com/acme/shop', 'gitlab.com'],
  ['git@gitlab.com:acme/shop.git', 'gitlab.com'],
  ['https://github.com@gitlab.com/acme/shop', 'gitlab.com'],
  ['https://github.com.example.org/acme/shop', 'github.com.example.org'],
])('%s is refused at its field, and not read as a repository of the source host', (address, host) => {
  expect(refusal(address)).toEqual({
    'values.repoUrl': `${host} is not the source host of this console: the address of a repository at github.com is expected, such as https://github.com/acme/shop`,
  });
});
