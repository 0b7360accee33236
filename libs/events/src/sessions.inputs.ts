import { object, text, uuid } from './rules';

export const signInByLink = object({ code: text(200) });

/** Two names that differ in nothing that can be seen must not be two workspaces. */
const instance = text(100).refine((name) => name === name.trim(), {
  error: 'a name must not begin or end with whitespace',
});
export const instanceExists = object({ instance });

/** What a provider puts behind the redirect URI, of which only a part is for us. */
export const providerCallback = object({
  state: text(200),
  code: text(2000).optional(),
  iss: text(2000).optional(),
  error: text(200).optional(),
  /** Code of an invitation's link, which the browser has kept meanwhile. */
  invitation: text(200).optional(),
}).refine(({ code, error }) => code !== undefined || error !== undefined, {
  error: 'This field is required',
  path: ['code'],
});

export const sessionRevoke = object({ id: uuid });
