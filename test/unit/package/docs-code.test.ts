/** Compiles the examples of the docs as a strict project would. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';

const root = process.cwd();

interface Example {
  page: string;
  /** The line of the page that is the first one of the code. */
  line: number;
  language: string;
  code: string;
}

/** The generated reference has signatures in place of code. */
const isReference = (page: string): boolean => page === 'docs/api.md';

const examplesOf = (page: string, text: string): Example[] =>
  [...text.matchAll(/^```(ts|tsx|js|jsx)\b[^\n]*\n([\s\S]*?)^```$/gm)].map(({ 1: language, 2: code, index }) => ({
    page,
    line: text.slice(0, index).split('\n').length + 1,
    language: language!,
    code: code!,
  }));

const readExamples = async (): Promise<Example[]> => {
  const files = (await readdir(join(root, 'docs'), { recursive: true }))
    .filter((file) => file.endsWith('.md') && !/node_modules|\.vitepress/.test(file))
    .map((file) => `docs/${file}`);
  const pages = ['README.md', ...files.toSorted()].filter((page) => !isReference(page));
  const texts = await Promise.all(pages.map((page) => readFile(join(root, page), 'utf8')));
  return pages.flatMap((page, index) => examplesOf(page, texts[index]!));
};

const entries = {
  'workspace-chat': 'src/index.ts',
  'workspace-chat/element.js': 'src/element.ts',
  'workspace-chat/client': 'src/entries/client.ts',
  'workspace-chat/testing': 'src/entries/testing.ts',
  'workspace-chat/doctor': 'src/entries/doctor.ts',
  'workspace-chat/locales/*': 'src/locale/added/*.ts',
};

/** What an example may leave to its reader. */
const left: Readonly<Record<string, string>> = {
  TS2304: 'a name of the page',
  TS2307: 'another package or file',
  TS2552: 'a name of the page that is similar to another one',
  TS2875: 'the JSX runtime of a framework',
  TS2740: 'the rest of a long list of texts',
  TS7016: 'a package without types',
  TS7026: 'the JSX types of a framework',
  TS18004: 'a name of the page, as a property',
  TS1108: 'the function around it',
};

/** What an example in JavaScript may leave to its reader, too: it has no types to say it. */
const leftInJavaScript: Readonly<Record<string, string>> = {
  TS2345: 'an element that is certainly there, as an argument',
  TS2531: 'an element that is certainly there',
  TS2532: 'an item that is certainly there',
  TS7006: 'the type of a parameter',
  TS7019: 'the type of a rest parameter',
  TS7031: 'the type of a destructured parameter',
  TS18047: 'an element that is certainly there, with a name',
};

/** What the pages introduce before their examples. */
const page = `declare const chat: import('workspace-chat').WorkspaceChatElement;\n`;

const compile = (folder: string): Promise<string> =>
  new Promise((settle) => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], (_error, output) => settle(output));
  });

it('The code in the docs compiles under strict', async () => {
  const examples = await readExamples();
  assert(examples.length > 50, `only ${examples.length} examples were found`);
  await mkdir(join(root, 'node_modules/.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, 'node_modules/.cache/docs-code-'));
  try {
    const nameOf = ({ language }: Example, index: number) => `example-${index}.${language}`;
    await Promise.all(
      examples.map((example, index) =>
        writeFile(join(folder, nameOf(example, index)), `${example.code}\nexport {};\n`),
      ),
    );
    const settings = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        allowJs: true,
        checkJs: true,
        jsx: 'react-jsx',
        noUnusedLocals: false,
        noUnusedParameters: false,
        types: ['node'],
        paths: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, [join(root, file)]])),
      },
      include: ['*', join(root, 'src/index.ts')],
    };
    await writeFile(join(folder, 'page.d.ts'), page);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const output = await compile(folder);
    const mistakes = [...output.matchAll(/example-(\d+)\.\w+\((\d+),\d+\): error (TS\d+): (.*)/g)].flatMap(
      ([, index, line, code, message]) => {
        const { page, line: first, language } = examples[Number(index)]!;
        const isUntyped = language.startsWith('js') || (language === 'tsx' && code === 'TS7031');
        // A property that is null at times is a mistake of the example.
        const isProperty = /^'\w+\.[\w.]+' is possibly/.test(message!);
        // The types of another framework than React.
        const isTag = /does not exist on type 'JSX\.IntrinsicElements'/.test(message!);
        // A property that the page has added, or that its own element or event has. The types of the widget are complete.
        const isAdded =
          isUntyped &&
          code === 'TS2339' &&
          /on type '(?:\w*Element|EventTarget|Event|Window\b.*|string \| AddressInfo)'/.test(message!);
        const isLeft =
          isTag || isAdded || Object.hasOwn(left, code!) || (isUntyped && Object.hasOwn(leftInJavaScript, code!));
        return isLeft && !isProperty ? [] : [`${page}:${first + Number(line) - 1} ${code} ${message}`];
      },
    );
    assert.deepEqual(mistakes, []);
  } finally {
    await rm(folder, { recursive: true });
  }
});
