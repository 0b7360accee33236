/** Shown in the console's footer. */
export const VERSION = '0.5.14';
