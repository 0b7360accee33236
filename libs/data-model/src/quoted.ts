import type { Dialect } from './model';

export const quoted = (identifier: string, dialect: Dialect): string =>
  dialect === 'mysql' ? `\`${identifier.replaceAll('`', '``')}\`` : `"${identifier.replaceAll('"', '""')}"`;
