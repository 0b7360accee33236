/** Said wherever an instance is shown. What serves it takes the place of this sentence. */
export const SERVING = 'Described, not served yet: no request is answered from here.';
