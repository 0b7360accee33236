/** From the least to the most. */
export const roles = ['member', 'admin', 'superadmin'] as const;
export type Role = (typeof roles)[number];
