/** Escapes text so that it matches itself in a pattern of `like`. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
