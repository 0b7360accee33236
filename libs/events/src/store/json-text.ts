/** What a text of an event says. Other programs may write what they like: what is not JSON is the text itself. */
export const parsedText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
