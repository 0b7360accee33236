/** Id of a section's card, which takes the focus when somebody goes there. */
export const placeOf = (section: string): string => `section-${section}`;
