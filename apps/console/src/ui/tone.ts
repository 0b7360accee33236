/** What a state means, and its colour. */
export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'busy' | 'quiet';

export const toneColor = (tone: Tone): string =>
  tone === 'quiet' ? 'var(--mantine-color-dimmed)' : `var(--qd-${tone === 'busy' ? 'info' : tone})`;
