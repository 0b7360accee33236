/** What the calls about a person's credentials accept; the forms of the console use the same schemas. */
import type { CredentialKey } from './credentials.events';
import { object, text } from './rules';

/** As GitHub has them: those that an enterprise gives out end in an underscore and its short name. */
const username = text(100).regex(/^[a-z\d](?:[a-z\d_-]*[a-z\d])?$/i, {
  error: 'a GitHub user name is expected, such as octocat',
});

/** It travels in a header, which holds nothing else. GitHub asks to reckon with 255 characters. */
const token = text(255).regex(/^[!-~]+$/, { error: 'a token without spaces is expected' });

export const credentialValue = {
  'gh-username': object({ value: username }),
  'gh-token': object({ value: token }),
} satisfies Record<CredentialKey, unknown>;
