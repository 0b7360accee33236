/** A path into a view that is written as text finds nothing after the view has changed, and nobody notices. */
const PATH = /\bview\)?\s*(?:->>?|#>>?|#-|-|\?)\s*'[\w{]|#(?:>>?|-)\s*'\{\w/;

export const typedPaths = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const look = (node, text) => {
      if (PATH.test(text))
        context.report({
          node,
          message: 'name the path by `inView`, which the compiler compares with the view',
        });
    };
    return {
      Literal(node) {
        if (typeof node.value === 'string') look(node, node.value);
      },
      TemplateElement: (node) => look(node, node.value.raw),
    };
  },
};
