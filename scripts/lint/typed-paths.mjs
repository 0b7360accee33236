/** Forbids JSON paths into a view that are written as text: after the view has changed, they silently find nothing. */
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
