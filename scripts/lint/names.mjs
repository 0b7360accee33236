/**
 * One word for one idea, and none that says only that something was asked, found or kept. Add a pair here when a name is
 * replaced everywhere, so that the old one does not come back.
 */
const WORDS = new Map([
  ['means', 'deps'],
  ['whileKept', 'withStoredSecrets'],
  ['whileClaimed', 'withClaimedName'],
  ['whileFree', 'withLock'],
  ['holdWhile', 'blockRemoval'],
  ['whereabouts', 'head'],
  ['VariablesOf', 'VariableReader'],
  ['PlainThings', 'PlainRecords'],
]);
const PATTERNS = [
  [/^MOST(?=_|$)/, () => 'a maximum begins with MAX_'],
  [/^[A-Z]\w*Means$/, () => 'what a function needs is its Deps'],
  [/^(?:ms[A-Z]|MS_)/, () => 'the unit comes last, as in timeoutMs and TIMEOUT_MS'],
];
/** A type says what the thing is: `InputOf`, `ListQuery`, `LeaseRow`. */
const VAGUE_TYPES = new Set(['Given', 'Asked', 'Kept', 'Found', 'Place', 'Wanted', 'Known']);

const faultOf = (name) => {
  const better = WORDS.get(name);
  if (better !== undefined) return `call it ${better}`;
  return PATTERNS.find(([pattern]) => pattern.test(name))?.[1]();
};

export const names = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const look = (node) => {
      const fault = faultOf(node.name);
      if (fault !== undefined) context.report({ node, message: `${node.name}: ${fault}` });
    };
    const lookAtType = ({ id }) => {
      if (id && VAGUE_TYPES.has(id.name))
        context.report({ node: id, message: `${id.name}: the name of a type says what the thing is` });
    };
    return {
      Identifier: look,
      PrivateIdentifier: look,
      ClassDeclaration: lookAtType,
      TSInterfaceDeclaration: lookAtType,
      TSTypeAliasDeclaration: lookAtType,
    };
  },
};
