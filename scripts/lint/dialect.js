/** Lint rules for the project's dialect: arrow functions, constants in camelCase, short functions, files that are loaded safely. */

const arrowFunctions = {
  create: (context) => {
    const overloaded = new Set();
    return {
      TSDeclareFunction: ({ id }) => overloaded.add(id?.name),
      FunctionDeclaration: (node) => {
        if (node.generator || overloaded.has(node.id?.name)) return;
        // An assertion function needs a declaration: TypeScript wants an explicit type for an arrow function.
        if (node.returnType?.typeAnnotation?.asserts) return;
        context.report({
          node: node.id ?? node,
          message: 'Write a const arrow function (generators and overloads excepted).',
        });
      },
    };
  },
};

const camelCaseConstants = {
  create: (context) => ({
    VariableDeclarator: ({ id }) => {
      if (id.type !== 'Identifier' || !/^[A-Z][A-Z\d]*(_[A-Z\d]+)*$/.test(id.name) || id.name.length === 1) return;
      context.report({ node: id, message: `Write the constant ${id.name} in camelCase.` });
    },
  }),
};

const itNotTest = {
  create: (context) => ({
    ImportSpecifier: (node) => {
      if (node.parent.source.value !== 'node:test' || node.imported.name !== 'test') return;
      context.report({ node, message: 'Write tests with `it`.' });
    },
  }),
};

const maxFunctionLines = 60;

const isDescribeCallback = ({ parent }) =>
  parent.type === 'CallExpression' &&
  (parent.callee.name === 'describe' || parent.callee.property?.name === 'describe');

// The built-in rule `max-lines-per-function` also counts the callback of `describe`, which only groups tests.
const shortFunctions = {
  create: (context) => {
    const check = (node) => {
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines <= maxFunctionLines || isDescribeCallback(node)) return;
      context.report({ node, message: `The function has ${lines} lines. Split a function above ${maxFunctionLines}.` });
    };
    return { ArrowFunctionExpression: check, FunctionExpression: check, FunctionDeclaration: check };
  },
};

const lazyImports = {
  create: (context) => ({
    ImportExpression: (node) => {
      for (let each = node.parent; each; each = each.parent)
        if (each.type === 'CallExpression' && each.callee.name === 'lazyFile') return;
      context.report({ node, message: 'Load a file with `lazyFile`, which has a timeout and a retry.' });
    },
  }),
};

export default {
  meta: { name: 'dialect' },
  rules: {
    'arrow-functions': arrowFunctions,
    'camel-case-constants': camelCaseConstants,
    'it-not-test': itNotTest,
    'lazy-imports': lazyImports,
    'short-functions': shortFunctions,
  },
};
