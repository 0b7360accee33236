/** A label within a sentence: `Deploys of Checkout` as `deploys of Checkout`. Names keep their case. */
export const inSentence = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
