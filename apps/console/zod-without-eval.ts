/**
 * In place of `zod` in the browser. Its schemas try whether they may compile themselves, which the content security
 * policy refuses and Firefox reports. Here the setting comes before any schema, whichever chunk is loaded first.
 */
import { config } from 'zod/v4/core';

config({ jitless: true });

export * from 'zod/v4';
export { z } from 'zod/v4';
