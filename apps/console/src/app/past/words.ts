/** Why nothing can be changed while the past is looked at. */
export const NO_CHANGES = 'This is the past: nothing can be changed in it. Go back to now first.';
