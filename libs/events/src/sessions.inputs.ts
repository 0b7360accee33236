import { exactText, messages, object, oneOf, text, uuid } from './rules';
import { signInProviders } from './sign-in';

export const signInByLink = object({ code: text(200) });

/** Two workspaces must not have names that look alike. */
const instance = exactText(100).refine((name) => name === name.trim(), {
  error: 'a name must not begin or end with whitespace',
});
export const instanceExists = object({ instance });
/** `provider` is a part of the path. */
const provider = { provider: text(100) };
export const providerUrl = object({ ...provider, instance });

/** Query parameters that a provider adds to the redirect URI. Not all of them are used. */
const fromProvider = {
  state: text(200),
  code: text(2000).optional(),
  iss: text(2000).optional(),
  error: text(200).optional(),
};
const saysSomething = ({ code, error }: { code?: string | undefined; error?: string | undefined }): boolean =>
  code !== undefined || error !== undefined;
const codeMissing = { error: messages.required, path: ['code'] };

export const providerCallback = object({
  ...provider,
  ...fromProvider,
  /** Code of an invitation link, which the browser kept during the sign-in. */
  invitation: text(200).optional(),
}).refine(saysSomething, codeMissing);

export const accountOf = object({ provider: oneOf(signInProviders) });
export const accountConnected = object({ ...accountOf.shape, ...fromProvider }).refine(
  saysSomething,
  codeMissing,
);

export const sessionRevoke = object({ id: uuid });
