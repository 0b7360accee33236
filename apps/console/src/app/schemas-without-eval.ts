/**
 * zod tries at the first schema whether it may compile code. The content policy forbids that, and Firefox logs every
 * attempt. Imported before anything that may hold a schema.
 */
import { config } from 'zod';

config({ jitless: true });
