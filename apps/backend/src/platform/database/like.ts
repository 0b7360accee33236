/** Text as a pattern of `like` that stands for itself. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
