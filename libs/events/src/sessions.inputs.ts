import { object, text } from './rules';

export const signInByLink = object({ code: text(200) });
export const instanceExists = object({ instance: text(100) });
