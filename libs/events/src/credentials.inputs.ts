/** Input schemas of the calls about a person's credentials. The console's forms use the same schemas. */
import type { CredentialKey } from './credentials.events';
import { object, text } from './rules';

/**
 * GitHub's rules for user names. Names given out by an enterprise end in an underscore and the enterprise's short name.
 */
const username = text(100).regex(/^[a-z\d](?:[a-z\d_-]*[a-z\d])?$/i, {
  error: 'a GitHub user name is expected, such as octocat',
});

/** Sent in a header, which allows only these characters. GitHub advises to allow 255 characters. */
const token = text(255).regex(/^[!-~]+$/, { error: 'a token without spaces is expected' });

export const credentialValue = {
  'gh-username': object({ value: username }),
  'gh-token': object({ value: token }),
} satisfies Record<CredentialKey, unknown>;
