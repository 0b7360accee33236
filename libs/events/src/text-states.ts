/** The states of a text, each with the letter that stands for it in `states`. */
export const textStates = { missing: 'm', translated: 't', reviewed: 'r', outdated: 'o' } as const;
export type TextState = keyof typeof textStates;
