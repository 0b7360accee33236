/** JSON that people type. */
export const NOT_JSON = 'JSON is expected, such as {"order": {"id": 41}}';

/** Undefined if the text is no JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
