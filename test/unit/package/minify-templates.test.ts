import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseAst, transformWithOxc } from 'vite';
import { minifyTemplates } from '../../../scripts/vite-plugins.ts';

interface Minified {
  code: string;
  map: { version: number; sources: string[]; names: string[]; mappings: string };
}

/** Calls the plugin as a build does. Returns null if the plugin leaves the module as it is. */
const transform = (code: string): Minified | null => {
  const { transform: hook } = minifyTemplates();
  assert(typeof hook === 'object');
  const handler = hook.handler as unknown as (this: { parse: typeof parseAst }, code: string) => Minified | null;
  return handler.call({ parse: parseAst }, code);
};

/** Returns the source text of a module as the plugin changes it in a build. */
const minify = (code: string): string => transform(code)?.code ?? code;

interface Template {
  tag: string;
  text: string;
}

/** Returns the `html`, `svg` and `css` templates of a module, outer ones first, with `${}` for each expression. */
const templatesOf = (code: string): Template[] => {
  const found: Template[] = [];
  const visit = (node: any): void => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'TaggedTemplateExpression' && ['html', 'svg', 'css'].includes(node.tag.name)) {
      const text = node.quasi.quasis.map(({ value }: { value: { raw: string } }) => value.raw).join('${}');
      found.push({ tag: node.tag.name, text });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(code));
  return found;
};

const withSingleSpaces = (text: string): string => text.replace(/<!--[^]*?-->/g, '').replace(/\s+/g, ' ');
const withoutSpaces = (text: string): string =>
  text
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/(?<![\w.-])0\.(?=\d)/g, '.')
    .replace(/\s+/g, '')
    .replaceAll(';}', '}');

describe('The template minifier', () => {
  it('keeps the closing slash of every element in an svg template', () => {
    const code = 'svg`\n  <path d="M4 12h16" />\n  <path d="M12 4v16"/>\n`;';
    assert.equal(minify(code), 'svg`\n<path d="M4 12h16" />\n<path d="M12 4v16"/>\n`;');
  });

  it('keeps a space and a line break between inline elements', () => {
    assert.equal(minify('html`<b>1</b> <i>2</i>`;'), 'html`<b>1</b> <i>2</i>`;');
    assert.equal(minify('html`<b>1</b>\n    <i>2</i>`;'), 'html`<b>1</b>\n<i>2</i>`;');
  });

  it('keeps the spaces around an expression', () => {
    assert.equal(minify('html`<p>${count} of ${total} </p>`;'), 'html`<p>${count} of ${total} </p>`;');
    assert.equal(minify('html`<p class="a ${b}">\n  ${c}\n</p>`;'), 'html`<p class="a ${b}">\n${c}\n</p>`;');
  });

  it('keeps a container rule, with the rules and the conditions nested in it', () => {
    const code = `css\`
      @container chat (inline-size > 30em) and (block-size <= 40em) {
        .list { gap: 1em; }
        @container (width < 20em) { .list > li { gap: 0; } }
      }\`;`;
    assert.equal(
      minify(code),
      'css` @container chat (inline-size>30em) and (block-size <= 40em){.list{gap:1em}@container (width < 20em){.list>li{gap:0}}}`;',
    );
  });

  it('keeps the spaces of selectors and values, and removes comments and the zero before a decimal point', () => {
    const code = `css\`
      /* The first one. */
      .a .b:hover :focus { margin: calc(1em + 2px) -1em; transition: opacity 0.2s, color 1s; }
    \`;`;
    assert.equal(
      minify(code),
      'css` .a .b:hover :focus{margin:calc(1em + 2px) -1em;transition:opacity .2s,color 1s}`;',
    );
  });

  it('changes a template inside the expression of another template', () => {
    const code = 'html`<ul>\n    ${items.map((item) => html`<li>\n      ${item}</li>`)}\n  </ul>`;';
    assert.equal(minify(code), 'html`<ul>\n${items.map((item) => html`<li>\n${item}</li>`)}\n</ul>`;');
  });

  it('changes only comments, white space and leading zeros in the sources, and keeps each space between tags', async () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    let count = 0;
    for (const file of files.filter((name) => !name.endsWith('.d.ts'))) {
      const { code } = await transformWithOxc(readFileSync(join('src', file), 'utf8'), file);
      const [before, after] = [templatesOf(code), templatesOf(minify(code))];
      for (const [index, { tag, text }] of before.entries()) {
        const normalize = tag === 'css' ? withoutSpaces : withSingleSpaces;
        assert.equal(normalize(after[index]!.text), normalize(text), file);
        if (tag === 'svg') assert.equal(after[index]!.text.match(/\/>/g)?.length, text.match(/\/>/g)?.length, file);
        count++;
      }
    }
    assert(count > 100, `only ${count} templates were found`);
  });

  it('maps a line after a minified template to its line in the source', () => {
    const code = `const first = html\`
  <p>
    <!-- A comment. -->
    \${name}
  </p>
\`; const afterOnTheSameLine = 1;
const styles = css\`
  .a {
    color: red;
  }
\`;
throw new Error('after');`;
    const { code: minified, map } = transform(code)!;
    const sourceMap = new SourceMap({ file: '', sourceRoot: '', sourcesContent: [], ...map });
    const positionOf = (text: string, inText: string) => {
      const before = inText.slice(0, inText.indexOf(text)).split('\n');
      return { line: before.length - 1, column: before.at(-1)!.length };
    };
    for (const text of ['name', 'afterOnTheSameLine', 'styles', "throw new Error('after')", "'after'"]) {
      const { line, column } = positionOf(text, minified);
      const entry = sourceMap.findEntry(line, column);
      assert('originalLine' in entry, text);
      assert.deepEqual({ line: entry.originalLine, column: entry.originalColumn }, positionOf(text, code), text);
    }
    assert.notDeepEqual(positionOf('throw', minified), positionOf('throw', code));
  });

  it('leaves other templates and strings alone', () => {
    const code = 'const text = `a\n   b`; const other = tag`a\n   b`; const quoted = "html`a\\n   b`";';
    assert.equal(transform(code), null);
  });
});
