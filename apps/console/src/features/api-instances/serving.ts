/** What is true of every instance, wherever one is shown. */
export const SERVING =
  'Each instance answers programs that send its token, with the permission app, and its users, who sign up and in below /auth.';

/** Where an instance answers. An endpoint's path follows. */
export const addressOf = (id: string): string => `${window.location.origin}/api/instance/${id}`;
