/** What is true of every instance, wherever one is shown. */
export const SERVING =
  'Each instance answers programs that send its token. Users cannot sign in yet, so only the permission app lets anybody in.';

/** Where an instance answers. An endpoint's path follows. */
export const addressOf = (id: string): string => `${window.location.origin}/api/instance/${id}`;
