/**
 * The value of a JSON text in an event. Other programs may write anything: text that is not JSON is returned as it is.
 */
export const parsedText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
