/** Makes text of the provider fit for the log: it stores no NUL and no half of a character. Pure. */
export const storable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
